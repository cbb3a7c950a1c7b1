//! Loops over the elements of any number of operands. For each function a loop over rows of the same length is compiled; that
//! an operand of one element is repeated is compiled once for all functions of a type.

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};

/// Computes a row of the result from rows of as many elements of each operand. `false` if some of them have no result; those
/// keep what they were.
pub(crate) type Row<const N: usize, T, U> = fn([&[T]; N], &mut [U]) -> bool;

/// The loop over rows of an expression of one element of each operand.
macro_rules! each {
    ($type:ty => $out:ty, [$($x:ident),+] $result:expr) => {
        |[$($x),+]: [&[$type]; _], out: &mut [$out]| {
            n_ary::in_rows!([$($x),+] out[index] => out[index] = $result);
            true
        }
    };
}

/// The loop over rows of an expression that not all elements have a result of.
macro_rules! try_each {
    ($type:ty, [$($x:ident),+] $result:expr) => {
        |[$($x),+]: [&[$type]; _], out: &mut [$type]| {
            let mut have_results = true;
            n_ary::in_rows!([$($x),+] out[index] => match $result {
                Some(result) => out[index] = result,
                None => have_results = false,
            });
            have_results
        }
    };
}

/// Runs an expression for each element of some rows, which it names as the rows are named.
macro_rules! in_rows {
    ([$($x:ident),+] $out:ident[$index:ident] => $body:expr) => {
        // The compiler sees that no index is too great, and makes vectors.
        $(let $x = &$x[..$out.len()];)+
        for $index in 0..$out.len() {
            $(let $x = $x[$index];)+
            $body;
        }
    };
}

/// The loop over rows of f32 of an expression, with the instructions of this processor: one that is computed in f64 and rounded
/// once with the elementary functions of `special::single`, or in f32 with those of `special::native`. Those of several operands in
/// f32 are brief, as are those that say so.
macro_rules! each_by_vectors {
    (f64, [$($x:ident),+] $result:expr) => {
        n_ary::each_by_vectors!(@ single, f64::from, false, [$($x),+] $result)
    };
    (f32, [$($x:ident),+] $result:expr) => {
        n_ary::each_by_vectors!(@ native, f32::from, OPERANDS > 1, [$($x),+] $result)
    };
    (brief, [$($x:ident),+] $result:expr) => {
        n_ary::each_by_vectors!(@ native, f32::from, true, [$($x),+] $result)
    };
    (@ $room:ident, $from:expr, $is_brief:expr, [$($x:ident),+] $result:expr) => {{
        const OPERANDS: usize = [$(stringify!($x)),+].len();
        struct This;
        impl $crate::views::instructions::Function<OPERANDS> for This {
            const IS_BRIEF: bool = $is_brief;

            #[inline(always)]
            fn at([$($x),+]: [f32; OPERANDS]) -> f32 {
                #[allow(unused_imports, reason = "few functions use them")]
                use $crate::functions::special::$room::*;
                $(let $x = $from($x);)+
                ($result) as f32
            }

            #[inline(always)]
            fn row([$($x),+]: [&[f32]; OPERANDS], out: &mut [f32]) {
                $crate::functions::n_ary::in_rows!([$($x),+] out[index] => out[index] = Self::at([$($x),+]));
            }
        }
        $crate::views::instructions::row::<OPERANDS, This>()
    }};
}

pub(crate) use {each, each_by_vectors, in_rows, try_each};

/// Applies the loop of a function to some blocks; an operand of one element is repeated. Returns whether every element has a
/// result.
#[inline(never)]
pub(crate) fn by_rows<const N: usize, T: Pod, U: Pod>(
    operands: &[&[u8]],
    out: &mut [u8],
    row: Row<N, T, U>,
) -> bool {
    /// Elements of a row that repeats one.
    const COPIES: usize = 128;
    let Some((columns, out)) = columns::<N, T, U>(operands, out) else { return true };
    let count = out.len();
    if columns.iter().all(|column| column.len() == count) {
        return row(columns, out);
    }
    if columns.iter().all(|column| column.len() == 1) {
        let (first, others) = out.split_at_mut(1);
        let has_result = row(columns, first);
        others.fill(first[0]);
        return has_result;
    }
    let mut copies = [[T::zeroed(); COPIES]; N];
    for (copies, column) in copies.iter_mut().zip(columns) {
        if let [one] = column {
            copies[..count.min(COPIES)].fill(*one);
        }
    }
    let mut have_results = true;
    for (number, out) in out.chunks_mut(COPIES).enumerate() {
        let mut rows: [&[T]; N] = [&[]; N];
        for ((row, column), copies) in rows.iter_mut().zip(columns).zip(&copies) {
            *row = if column.len() == 1 { copies } else { &column[number * COPIES..] };
            *row = &row[..out.len()];
        }
        have_results &= row(rows, out);
    }
    have_results
}

/// Returns the elements of operands, one or as many as of the result each, and of the result; nothing where blocks are not
/// aligned, or an operand has none.
fn columns<'a, const N: usize, T: Pod, U: Pod>(
    operands: &[&'a [u8]],
    out: &'a mut [u8],
) -> Option<([&'a [T]; N], &'a mut [U])> {
    let out = try_cast_slice_mut::<u8, U>(out).ok()?;
    let mut columns: [&[T]; N] = [&[]; N];
    let mut count = out.len();
    for (column, bytes) in columns.iter_mut().zip(operands) {
        let bytes = &bytes[..bytes.len().min(out.len() * size_of::<T>())];
        *column = try_cast_slice(bytes).unwrap_or_default();
        if column.len() != 1 {
            count = count.min(column.len());
        }
    }
    debug_assert!(out.is_empty() || count > 0, "blocks are aligned and not empty");
    for column in columns.iter_mut().filter(|column| column.len() > count) {
        *column = &column[..count];
    }
    (count > 0).then(|| (columns, &mut out[..count]))
}

/// Combines the elements of all blocks, two at a time; an operand of one element is repeated.
pub(crate) fn fold<T: Pod, F: Fn(T, T) -> T>(operands: &[&[u8]], out: &mut [u8], function: F) {
    let Ok(out) = try_cast_slice_mut::<u8, T>(out) else {
        debug_assert!(false, "blocks are aligned");
        return;
    };
    for (number, operand) in operands.iter().enumerate() {
        let Ok(operand) = try_cast_slice::<u8, T>(operand) else { return };
        let step = usize::from(operand.len() > 1);
        for (index, out) in out.iter_mut().enumerate() {
            *out = if number == 0 { operand[index * step] } else { function(*out, operand[index * step]) };
        }
    }
}
