//! A stage that works along an axis or some: each operand is seen as lanes, one beside the other, and a body gets them whole.
//! Lanes that are all the same, as those of a weight, are gathered and converted once.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;

use crate::engine::share;
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::bound;
use crate::views::buffer_cache::with_kept;
use crate::views::failure::Result;
use crate::views::past_caches;
use crate::views::runs::prefetch;
use crate::{Block, Bound, Conversions};

/// Bytes of the lanes that are gathered together, at most, unless one lane has more.
const PANEL: usize = 128 << 10;

/// Bytes of lanes that are converted or copied together, at most: most of them then stay in the first-level cache.
const BUFFERED: usize = 64 << 10;

/// Bytes from an element that is converted to one that memory is asked for meanwhile, at least.
const AHEAD: usize = 16 << 10;

/// Lanes that are gathered together at least, unless a lane is longer than so many bytes.
const NEIGHBOURS: usize = 16;
const LONGEST: usize = 256 << 10;

/// Bytes of a buffer that is kept for the next launch.
const KEPT: usize = 4 << 20;

/// The form in which a body receives the lanes of one operand.
#[derive(Clone, Copy)]
pub struct Lane {
    /// Elements of a lane.
    pub len: usize,
    /// From the type of the operand to the one that the body reads, or from the one that it writes to the type of the operand.
    pub conversions: Conversions,
    /// Bytes of an element as the body sees it.
    pub size: usize,
}

/// The function that an operator applies to lanes.
pub trait LaneBody: Send + Sync {
    /// Computes lane `number`: each slice holds one lane of an operand, aligned. Outputs hold arbitrary bytes before.
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result;

    /// Computes some lanes, which lie one after the other in each slice.
    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        panel.each(&mut |number, inputs, outputs| self.lane(number, inputs, outputs))
    }

    /// Computes `count` lanes of one element each as [`LaneBody::panel`] does, where an output may be an input too. Returns false,
    /// and does nothing, if it cannot.
    ///
    /// # Safety
    /// So many elements of the inputs may be read, of which those that are repeated have a copy for each lane, and those of the
    /// outputs written; all are aligned.
    unsafe fn in_place(&self, _inputs: &[*const u8], _outputs: &[*mut u8], _count: usize) -> bool {
        false
    }

    /// Returns how many of `count` lanes are computed, the first ones; the others keep what they hold.
    fn computed(&self, _inputs: &[Bound<'_>], count: usize) -> usize {
        count
    }

    /// Returns the names of the steps.
    fn steps(&self) -> Vec<&'static str>;
}

/// A function of one lane of each operand.
pub struct LaneFunction {
    step: &'static str,
    // One type for all functions, so that what calls them is compiled once.
    function: Box<dyn Function>,
}

/// The closure of a [`LaneFunction`]. A `dyn Fn` would have two more functions for each, for the other ways to call it.
trait Function: Send + Sync {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result;
}

impl<F: Fn(usize, &[&[u8]], &mut [&mut [u8]]) -> Result + Send + Sync> Function for F {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self(number, inputs, outputs)
    }
}

impl LaneFunction {
    /// Makes a body of a function of the number of a lane, the lane of each input and that of each output; `step` says in a
    /// word or two what it does.
    pub fn new(
        step: &'static str,
        function: impl Fn(usize, &[&[u8]], &mut [&mut [u8]]) -> Result + Send + Sync + 'static,
    ) -> Self {
        Self { step, function: Box::new(function) }
    }
}

impl LaneBody for LaneFunction {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.function.lane(number, inputs, outputs)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![self.step]
    }
}

/// Some neighbouring lanes of each operand.
pub struct Panel<'p, 'b> {
    /// The number of the first lane.
    pub first: usize,
    /// The number of lanes.
    pub count: usize,
    pub inputs: &'p [&'b [u8]],
    pub outputs: &'p mut [&'b mut [u8]],
}

/// A function of the number of a lane, the lane of each input and that of each output.
type Visit<'a> = dyn FnMut(usize, &[&[u8]], &mut [&mut [u8]]) -> Result + 'a;

impl Panel<'_, '_> {
    /// Visits lane by lane: its number, its inputs and its outputs.
    pub fn each(self, visit: &mut Visit<'_>) -> Result {
        let count = self.count.max(1);
        let mut inputs: SmallVec<[&[u8]; 8]> = SmallVec::from_slice(self.inputs);
        let sizes: SmallVec<[usize; 8]> = self.inputs.iter().map(|input| input.len() / count).collect();
        let written: SmallVec<[usize; 8]> = self.outputs.iter().map(|output| output.len() / count).collect();
        for lane in 0..self.count {
            for ((own, input), size) in inputs.iter_mut().zip(self.inputs).zip(&sizes) {
                *own = &input[lane * size..][..*size];
            }
            let outputs = self.outputs.iter_mut().zip(&written);
            let mut outputs: SmallVec<[&mut [u8]; 8]> =
                outputs.map(|(output, size)| &mut output[lane * size..][..*size]).collect();
            visit(self.first + lane, &inputs, &mut outputs)?;
        }
        Ok(())
    }
}

/// A body, and how it gets the lanes of its operands.
pub(crate) struct Lanes {
    /// Of each operand, inputs first.
    lanes: Vec<Lane>,
    /// Lanes of each operand.
    count: usize,
    /// Whether no two elements of an output share memory.
    is_apart: bool,
    body: Box<dyn LaneBody>,
}

impl Lanes {
    pub(crate) fn new(lanes: Vec<Lane>, count: usize, is_apart: bool, body: Box<dyn LaneBody>) -> Self {
        Self { lanes, count, is_apart, body }
    }

    pub(crate) fn steps(&self) -> Vec<&'static str> {
        self.body.steps()
    }

    /// Computes the outputs from the inputs.
    pub(crate) fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>]) -> Result {
        // An input that overlaps an output in another layout is read completely before anything is written.
        let copies =
            bound::copies(inputs, &|input| outputs.iter().any(|output| input.conflicts_with(output)))?;
        let inputs = bound::with_copies(inputs, &copies);
        let are_apart = outputs.iter().enumerate().all(|(index, output)| {
            let others = inputs.iter().chain(&outputs[..index]);
            others.clone().all(|other| !other.overlaps(output))
        });
        let stored = inputs.iter().chain(outputs).zip(&self.lanes);
        let of_a_lane = stored.map(|(bound, lane)| lane.len * (bound.size() + lane.size)).sum::<usize>();
        let written = outputs.iter().map(|output| output.numel().saturating_mul(output.size()));
        let is_large = written.fold(0, usize::saturating_add) > past_caches::MANY;
        let streams = is_large && are_apart && self.is_apart && of_a_lane <= PANEL;
        let work = Work { lanes: self, inputs: &inputs, outputs, are_apart, streams };
        // Lanes across memory share their lines with their neighbours, so that some are gathered together even if they are long.
        let is_across = |(bound, lane): (&Bound<'_>, &Lane)| bound.contiguous(0..lane.len).is_none();
        let are_across = inputs.iter().chain(outputs).zip(&self.lanes).any(is_across);
        let least = if are_across && of_a_lane < LONGEST { NEIGHBOURS } else { 1 };
        let count = self.body.computed(&inputs, self.count).min(self.count);
        let are_converted = self.lanes.iter().any(|lane| !lane.conversions.is_empty());
        let panel = if are_converted || streams { BUFFERED } else { PANEL };
        let together = (panel / of_a_lane.max(1)).max(least).clamp(1, count.max(1));
        let part = |range: Range<usize>| {
            with_kept(&BUFFERS, Buffers::new, |buffers| {
                buffers.rooms.iter_mut().for_each(|room| room.held = 0);
                let mut steps = range.clone().step_by(together);
                let done =
                    steps.try_for_each(|first| work.panel(first..range.end.min(first + together), buffers));
                buffers.forget_large();
                if streams {
                    past_caches::fence();
                }
                done
            })
        };
        if self.is_apart {
            share::try_each(count, together, of_a_lane.saturating_mul(count), &part)
        } else {
            part(0..count)
        }
    }
}

/// One launch.
struct Work<'a> {
    lanes: &'a Lanes,
    inputs: &'a [Bound<'a>],
    outputs: &'a [Bound<'a>],
    /// Whether no output shares memory with another operand.
    are_apart: bool,
    /// Whether outputs are written past the caches.
    streams: bool,
}

/// The buffers of one operand: for its elements as they are stored, and as a body sees them.
#[derive(Default)]
struct Room {
    stored: Vec<Line>,
    seen: Vec<Line>,
    /// The lanes in the buffers that serve again, as all lanes of the operand are the same.
    held: usize,
}

impl Work<'_> {
    /// Computes neighbouring lanes.
    fn panel(&self, range: Range<usize>, buffers: &mut Buffers) -> Result {
        let (lanes, count) = (&self.lanes.lanes, range.len());
        buffers.rooms.resize_with(lanes.len().max(buffers.rooms.len()), Room::default);
        if !self.are_apart && self.in_place(&range, buffers)? {
            return Ok(());
        }
        let (of_inputs, of_outputs) = buffers.rooms.split_at_mut(self.inputs.len());
        let between = &mut buffers.between;
        let elements = |lane: &Lane| range.start * lane.len..range.end * lane.len;

        let mut inputs: SmallVec<[&[u8]; 4]> = SmallVec::new();
        for ((input, lane), room) in self.inputs.iter().zip(lanes).zip(of_inputs) {
            inputs.push(self.seen((input, lane), &range, room, between)?);
        }

        let lanes = lanes.get(self.inputs.len()..).unwrap_or_default();
        let mut outputs: SmallVec<[&mut [u8]; 2]> = SmallVec::new();
        // The buffers of the outputs that are not written directly.
        let mut scattered: SmallVec<[Option<&mut Vec<Line>>; 2]> = SmallVec::new();
        for ((output, lane), room) in self.outputs.iter().zip(lanes).zip(of_outputs) {
            let is_direct =
                self.are_apart && self.lanes.is_apart && lane.conversions.is_empty() && !self.streams;
            // SAFETY: no operand shares these elements, and every thread computes lanes of its own.
            let place = is_direct.then(|| unsafe { output.contiguous_mut(elements(lane)) }).flatten();
            scattered.push(place.is_none().then_some(&mut room.stored));
            outputs.push(match place {
                Some(place) => place,
                None => allocation::bytes_of(&mut room.seen, count * lane.len * lane.size)?,
            });
        }
        self.lanes.body.panel(Panel { first: range.start, count, inputs: &inputs, outputs: &mut outputs })?;

        for (((output, lane), seen), stored) in self.outputs.iter().zip(lanes).zip(&outputs).zip(scattered) {
            let Some(stored) = stored else { continue };
            let numel = count * lane.len;
            let made = match lane.conversions.is_empty() {
                true => &**seen,
                false => {
                    let to = allocation::bytes_of(stored, numel * output.size())?;
                    lane.conversions.apply_all(numel, seen, to, between);
                    to
                }
            };
            // SAFETY: no operand shares these elements, and every thread computes lanes of its own.
            let place = self.streams.then(|| unsafe { output.contiguous_mut(elements(lane)) }).flatten();
            match place {
                Some(place) => past_caches::copy(made, place),
                None => output.scatter(elements(lane), made),
            }
        }
        Ok(())
    }

    /// Computes neighbouring lanes of one element where they lie, if the body can do that.
    fn in_place(&self, range: &Range<usize>, buffers: &mut Buffers) -> Result<bool> {
        let Lanes { lanes, is_apart, body, .. } = self.lanes;
        if !is_apart || lanes.iter().any(|lane| lane.len != 1) {
            return Ok(false);
        }
        let (of_inputs, of_outputs) = lanes.split_at(self.inputs.len());
        let mut outputs: SmallVec<[*mut u8; 4]> = SmallVec::new();
        for (number, (output, lane)) in self.outputs.iter().zip(of_outputs).enumerate() {
            let is_alone = self.outputs[..number].iter().all(|other| !other.overlaps(output));
            match output.start_of(range.clone()) {
                Some(start) if is_alone && lane.conversions.is_empty() => outputs.push(start),
                _ => return Ok(false),
            }
        }
        let mut inputs: SmallVec<[*const u8; 8]> = SmallVec::new();
        let operands = self.inputs.iter().zip(of_inputs);
        for ((input, lane), room) in operands.zip(&mut buffers.rooms) {
            let start = input.start_of(range.clone()).filter(|_| lane.conversions.is_empty());
            let is_shared = self.outputs.iter().any(|output| output.overlaps(input));
            inputs.push(match start {
                Some(start) => start,
                None if is_shared => return Ok(false),
                None => self.seen((input, lane), range, room, &mut buffers.between)?.as_ptr(),
            });
        }
        // SAFETY: so many elements are there, aligned. An output that is an input has its layout, or there was a copy of it, and
        // no other thread computes these lanes.
        Ok(unsafe { body.in_place(&inputs, &outputs, range.len()) })
    }

    /// Returns the elements of some lanes of an input as the body sees them.
    fn seen<'a>(
        &'a self,
        (input, lane): (&'a Bound<'_>, &Lane),
        range: &Range<usize>,
        Room { stored, seen, held }: &'a mut Room,
        between: &mut Block,
    ) -> Result<&'a [u8]> {
        let (elements, count) = (range.start * lane.len..range.end * lane.len, range.len());
        let numel = count * lane.len;
        if *held >= count {
            return match lane.conversions.is_empty() {
                true => Ok(allocation::bytes_of(stored, numel * lane.size)?),
                false => Ok(allocation::bytes_of(seen, numel * lane.size)?),
            };
        }
        *held = if input.repeats(lane.len) { count } else { 0 };
        let from = match input.contiguous(elements.clone()).filter(|_| self.are_apart) {
            Some(bytes) => {
                // Without a conversion nothing is in the buffers.
                *held = if lane.conversions.is_empty() { 0 } else { *held };
                bytes
            }
            None => {
                let bytes = allocation::bytes_of(stored, numel * input.size())?;
                input.gather(elements, bytes);
                bytes
            }
        };
        if lane.conversions.is_empty() {
            return Ok(from);
        }
        // What later lanes need comes while these are computed.
        let ahead = from.len().max(AHEAD);
        for line in (0..from.len()).step_by(Line::SIZE) {
            prefetch(from.as_ptr().wrapping_add(ahead + line), true);
        }
        let to = allocation::bytes_of(seen, numel * lane.size)?;
        lane.conversions.apply_all(numel, from, to, between);
        Ok(to)
    }
}

struct Buffers {
    rooms: Vec<Room>,
    between: Block,
}

impl Buffers {
    fn new() -> Self {
        Buffers { rooms: Vec::new(), between: Block::new() }
    }

    /// Gives back what only few launches need.
    fn forget_large(&mut self) {
        for Room { stored, seen, .. } in &mut self.rooms {
            for lines in [stored, seen].into_iter().filter(|lines| lines.len() * Line::SIZE > KEPT) {
                *lines = Vec::new();
            }
        }
    }
}

thread_local! {
    /// The buffers of this thread, kept for the next launch.
    static BUFFERS: RefCell<Buffers> = RefCell::new(Buffers::new());
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::DType;
    use aclnn_numerics::product::Product;

    use super::*;
    use crate::View;

    #[test]
    fn large_buffers_are_given_back() {
        let mut buffers = Buffers { rooms: vec![Room::default()], between: Block::new() };
        allocation::bytes_of(&mut buffers.rooms[0].seen, KEPT + 1).unwrap();
        allocation::bytes_of(&mut buffers.rooms[0].stored, KEPT).unwrap();
        buffers.forget_large();
        let kept = [&buffers.rooms[0].seen, &buffers.rooms[0].stored].map(|lines| lines.len() * Line::SIZE);
        assert_eq!(kept, [0, KEPT]);
    }

    /// Lanes that all are one, in more panels than one, beside lanes of their own; and lanes that begin anywhere in a row that
    /// is repeated.
    #[test]
    fn lanes_that_are_all_the_same_serve_again() {
        const LEN: usize = 1000;
        for (dtype, [rows, lane_len]) in [
            (DType::F32, [300, LEN]),
            (DType::F64, [300, LEN]),
            (DType::F32, [41, 2050]),
            (DType::F64, [41, 2050]),
        ] {
            let view = |strides: [isize; 2]| View::new(dtype, &[rows, LEN], &strides, 0).unwrap();
            let (weight, own) = (view([0, 1]), view([LEN as isize, 1]));
            let numbers = |count: usize| (0..count).map(|index| (index % 977) as f32);
            let bytes = |numbers: &mut dyn Iterator<Item = f32>| match dtype {
                DType::F32 => numbers.flat_map(f32::to_ne_bytes).collect::<Vec<u8>>(),
                _ => numbers.flat_map(|number| f64::from(number).to_ne_bytes()).collect(),
            };
            let (mut weights, mut owns) = (bytes(&mut numbers(LEN)), bytes(&mut numbers(rows * LEN)));
            let mut sums = vec![0; rows * LEN * 4];
            let out = View::new(DType::F32, &[rows, LEN], &[LEN as isize, 1], 0).unwrap();
            let lane = |dtype| Lane {
                len: lane_len,
                conversions: Conversions::through(Product::Ascend910B, &[dtype, DType::F32]).unwrap(),
                size: 4,
            };
            let body = LaneFunction::new("add", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
                let [a, b] = [inputs[0], inputs[1]].map(bytemuck::cast_slice::<u8, f32>);
                for ((to, a), b) in bytemuck::cast_slice_mut::<u8, f32>(outputs[0]).iter_mut().zip(a).zip(b) {
                    *to = a + b;
                }
                Ok(())
            });
            let lanes = Lanes::new(
                vec![lane(dtype), lane(dtype), lane(DType::F32)],
                rows * LEN / lane_len,
                true,
                Box::new(body),
            );
            let inputs = [Bound::on_host(&weight, &mut weights), Bound::on_host(&own, &mut owns)];
            lanes.run(&inputs, &[Bound::on_host(&out, &mut sums)]).unwrap();
            let expected: Vec<f32> = numbers(rows * LEN)
                .enumerate()
                .map(|(index, own)| own + (index % LEN % 977) as f32)
                .collect();
            assert_eq!(bytemuck::pod_collect_to_vec::<u8, f32>(&sums), expected, "{dtype}");
        }
    }
}
