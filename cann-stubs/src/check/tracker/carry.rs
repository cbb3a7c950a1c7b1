//! Copies between device memory: their target holds values where their source does.
//!
//! Copying memory that was never written is no misuse by itself. The tracker marks the bytes of the target as unwritten, and
//! reports an operator that computes with them.

use cann_kernels::Span;
use smallvec::SmallVec;

use super::allocation::{Allocations, new_state};
use super::work::{Access, Carried, Purpose};

/// How many runs the target of a copy may have before it is kept as bits.
const SCATTERED: usize = 1024;

/// Marks the target of a copy as holding values where its source does.
pub(super) fn carry(allocations: &mut Allocations, carried: &Carried<'_>, accesses: &[Access]) {
    let of = |number: usize, purpose| accesses.get(number).filter(|access| access.purpose == purpose);
    let (source, target) = (of(carried.accesses.0, Purpose::Carry), of(carried.accesses.1, Purpose::Receive));
    let (Some(source), Some(target)) = (source, target) else { return };
    // Memory that is not checked counts as written.
    let is_whole = allocations
        .judged(&source.span)
        .is_none_or(|allocation| allocation.written.missing(&source.span).is_none());
    if is_whole {
        if let Some(allocation) = allocations.judged(&target.span) {
            allocation.written.mark(&target.span);
        }
        return;
    }
    let (from_size, to_size) = carried.sizes;
    let scattered = target.span.runs() > SCATTERED;
    carried.each_run(|from, to, count| {
        let (from_end, to_end) = (from + count * from_size, to + count * to_size);
        let pieces: SmallVec<[(usize, usize); 4]> =
            match allocations.judged(&Span::dense(from, from_end - from)) {
                Some(source) => source.written.pieces(from, from_end).collect(),
                None => SmallVec::from_slice(&[(0, from_end - from)]),
            };
        // An element of which only a part is written counts as not written.
        let elements = |(start, end): (usize, usize)| (start.div_ceil(from_size), end / from_size);
        let pieces: SmallVec<[(usize, usize); 4]> = pieces
            .into_iter()
            .map(elements)
            .filter(|(start, end)| start < end)
            .map(|(start, end)| (start * to_size, end * to_size))
            .collect();
        if let Some(target) = allocations.judged(&Span::dense(to, to_end - to)) {
            target.state = new_state();
            target.written.carry((to, to_end), &pieces, scattered);
        }
    });
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::layout::Walk;

    use super::super::history::History;
    use super::super::work::Work;
    use super::*;

    /// Copies between views of every layout, against one flag for each byte.
    #[test]
    fn a_copy_carries_which_elements_were_written() {
        const BYTES: usize = 4000;
        const STARTS: [usize; 2] = [10_000, 20_000];
        let mut random = fastrand::Rng::with_seed(3);
        let mut history = History::default();
        let mut model = [vec![false; BYTES], vec![false; BYTES]];
        for start in STARTS {
            history.allocations.track(start, BYTES, true);
        }
        for round in 0..3_000 {
            // Something is written somewhere.
            let (side, at) = (random.usize(..2), random.usize(..BYTES - 200));
            let len = random.usize(..200);
            let span = Span::dense(STARTS[side] + at, len);
            let written = Access { name: "out", span, purpose: Purpose::Write };
            history.mark(&Work { function: "f", code: 1, accesses: &[written], carried: &[] });
            model[side][at..at + len].fill(true);

            let shape = [1 + random.usize(..6), 1 + random.usize(..40)];
            let sizes = [1 << random.usize(..3), 1 << random.usize(..3)];
            // In order, as columns, or with gaps; a source may repeat its rows.
            let mut layout = |is_source: bool| -> [isize; 2] {
                let (rows, columns) = (shape[0] as isize, shape[1] as isize);
                match random.usize(..4) {
                    0 => [columns, 1],
                    1 => [1, rows],
                    2 if is_source => [0, 1],
                    _ => [2 * columns + 1, 2],
                }
            };
            let strides = [layout(true), layout(false)];
            let walk = Walk::new(&shape, [&strides[0], &strides[1]]);
            let starts: [usize; 2] = std::array::from_fn(|_| random.usize(..BYTES - 2_100));
            let span =
                |side: usize| Span::of_view(STARTS[side] + starts[side], sizes[side], &shape, &strides[side]);
            let accesses = [
                Access { name: "src", span: span(0), purpose: Purpose::Carry },
                Access { name: "dst", span: span(1), purpose: Purpose::Receive },
            ];
            let carried = Carried {
                walk: &walk,
                from: STARTS[0] + starts[0],
                to: STARTS[1] + starts[1],
                sizes: (sizes[0], sizes[1]),
                accesses: (0, 1),
            };
            let before = model[0].clone();
            history.mark(&Work { function: "f", code: 1, accesses: &accesses, carried: &[carried] });
            for (row, column) in (0..shape[0]).flat_map(|row| (0..shape[1]).map(move |column| (row, column)))
            {
                let at = |side: usize| {
                    let [down, across] = strides[side].map(isize::unsigned_abs);
                    starts[side] + (row * down + column * across) * sizes[side]
                };
                let whole = before[at(0)..at(0) + sizes[0]].iter().all(|written| *written);
                model[1][at(1)..at(1) + sizes[1]].fill(whole);
            }
            for (side, start) in STARTS.into_iter().enumerate() {
                let allocation = history.allocations.0.holding_mut(start).unwrap().value;
                let mut found = vec![false; BYTES];
                for (from, to) in allocation.written.pieces(start, start + BYTES) {
                    found[from..to].fill(true);
                }
                assert!(found == model[side], "round {round}, side {side}");
            }
            if round % 50 == 0 {
                for (start, model) in STARTS.into_iter().zip(&mut model) {
                    let allocation = history.allocations.0.holding_mut(start).unwrap().value;
                    allocation.written.carry((start, start + BYTES), &[], false);
                    model.fill(false);
                }
            }
        }
    }
}
