//! Keys: unsigned integers in the order of the elements, so that one sort serves every type of a width.

use std::ops::Range;

use aclnn_numerics::DType;
use bytemuck::Pod;

use crate::engine::share;
use crate::sorting::bytes;
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

/// Elements that a thread reads or writes together.
pub(super) const PIECE: usize = 1 << 15;

/// The conversion of the elements of a type to keys. NaN is greater than every number, and both zeros are equal.
#[derive(Clone, Copy)]
pub struct Keys {
    /// Bytes of a number.
    size: usize,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Unsigned,
    Signed,
    /// The bits of positive infinity, above which those of NaN are.
    Float(u64),
}

impl Keys {
    /// Returns the keys of a type of real numbers.
    pub fn of(dtype: DType) -> Option<Self> {
        let kind = match dtype {
            DType::U8 | DType::U16 | DType::U32 | DType::U64 | DType::Bool => Kind::Unsigned,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Kind::Signed,
            DType::F16 => Kind::Float(0x7c00),
            DType::BF16 => Kind::Float(0x7f80),
            DType::F32 => Kind::Float(f32::INFINITY.to_bits().into()),
            DType::F64 => Kind::Float(f64::INFINITY.to_bits()),
            _ => return None,
        };
        Some(Keys { size: dtype.bits() / 8, kind })
    }

    /// Returns the size of an element in bytes.
    pub fn size(self) -> usize {
        self.size
    }

    /// Returns the greatest key; that of NaN if the elements are floats.
    pub fn greatest(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size.clamp(1, 8))
    }

    /// Returns whether a key is that of NaN.
    pub fn is_nan(self, key: u64) -> bool {
        matches!(self.kind, Kind::Float(_)) && key == self.greatest()
    }

    /// Returns the bits of the element with a key; `None` where elements with different bits have it.
    fn element(self, key: u64) -> Option<u64> {
        let (greatest, sign) = (self.greatest(), self.greatest() / 2 + 1);
        match self.kind {
            Kind::Unsigned => Some(key),
            Kind::Signed => Some(key ^ sign),
            Kind::Float(_) if key == greatest || key == sign => None,
            Kind::Float(_) => Some(if key & sign == 0 { key ^ greatest } else { key ^ sign }),
        }
    }

    /// Reads the keys of elements.
    pub fn read(self, elements: &[u8], keys: &mut Vec<u64>) -> Result {
        let count = elements.len() / self.size.max(1);
        keys.clear();
        allocation::reserve(keys, count)?;
        keys.resize(count, 0);
        let (greatest, sign) = (self.greatest(), self.greatest() / 2 + 1);
        let bytes = elements.len() + size_of_val(&keys[..]);
        share::pieces(keys, PIECE, bytes, &|piece, keys| {
            let elements = elements.get(piece * PIECE * self.size..).unwrap_or_default();
            match self.size {
                1 => keys.iter_mut().zip(elements).for_each(|(key, element)| *key = u64::from(*element)),
                2 => widen::<u16>(elements, keys),
                4 => widen::<u32>(elements, keys),
                _ => widen::<u64>(elements, keys),
            }
            match self.kind {
                Kind::Unsigned => {}
                Kind::Signed => keys.iter_mut().for_each(|key| *key ^= sign),
                Kind::Float(infinity) => of_floats(keys, infinity, greatest, sign),
            }
        });
        Ok(())
    }
}

for_instructions! {
    /// Replaces the bits of floats by their keys, without a branch, as signs come in no order.
    fn of_floats(keys: &mut [u64], infinity: u64, greatest: u64, sign: u64) {
        for key in keys {
            let (magnitude, negative) = (*key & !sign, if *key & sign == 0 { 0 } else { greatest });
            let ordered = *key ^ (negative | sign);
            let ordered = if magnitude == 0 { sign } else { ordered };
            *key = if magnitude > infinity { greatest } else { ordered };
        }
    }
}

fn widen<T: Pod + Into<u64>>(elements: &[u8], keys: &mut [u64]) {
    let elements = elements.chunks_exact(size_of::<T>());
    let read = elements.map(|element| bytemuck::pod_read_unaligned::<T>(element).into());
    keys.iter_mut().zip(read).for_each(|(key, bits)| *key = bits);
}

/// The ranks whose positions are asked for.
#[derive(Clone, Copy)]
pub enum Ranks {
    All,
    /// So many, from the first on.
    First(usize),
    One(usize),
}

/// Many keys in order, each with its position in one number.
pub(super) struct Sorted<'a> {
    places: &'a [u64],
    keys: Keys,
    flip: u64,
    least: u64,
}

impl<'a> Sorted<'a> {
    /// Sorts keys; equal ones keep their order. Returns `None`, and leaves them as they are, where they are so far from each other
    /// that a number does not hold a position beside a key.
    pub(super) fn of(numbers: &'a mut Vec<u64>, keys: Keys, descending: bool) -> Result<Option<Self>> {
        let flip = if descending { keys.greatest() } else { 0 };
        let Some((least, bits)) = join_positions(numbers, keys.greatest(), flip) else { return Ok(None) };
        bytes::sort(numbers, bits)?;
        Ok(Some(Sorted { places: numbers, keys, flip, least }))
    }

    /// Writes the elements from a rank on, of which there are as many as fit. `row` has them in the order before.
    pub(super) fn write_elements(&self, first: usize, row: &[u8], to: &mut [u8]) {
        match self.keys.size {
            1 => self.write(first, row, to, |bits| [bits as u8]),
            2 => self.write(first, row, to, |bits| (bits as u16).to_ne_bytes()),
            4 => self.write(first, row, to, |bits| (bits as u32).to_ne_bytes()),
            _ => self.write(first, row, to, u64::to_ne_bytes),
        }
    }

    fn write<const N: usize>(&self, first: usize, row: &[u8], to: &mut [u8], bytes: fn(u64) -> [u8; N]) {
        let (row, places) = (row.as_chunks::<N>().0, self.places.get(first..).unwrap_or_default());
        for (to, place) in to.as_chunks_mut::<N>().0.iter_mut().zip(places) {
            // Memory is read in the order of the results only where the key does not tell the element.
            let key = (place >> 32).wrapping_add(self.least) ^ self.flip;
            match self.keys.element(key) {
                Some(bits) => *to = bytes(bits),
                None => *to = row.get(*place as u32 as usize).copied().unwrap_or([0; N]),
            }
        }
    }

    /// Writes where the elements were, from a rank on, as i64.
    pub(super) fn write_positions(&self, first: usize, to: &mut [u8]) {
        let places = self.places.get(first..).unwrap_or_default();
        for (to, place) in to.as_chunks_mut().0.iter_mut().zip(places) {
            *to = i64::from(*place as u32).to_ne_bytes();
        }
    }
}

/// Replaces keys, of which `flip` may turn the order, by numbers with the distance from the least key above the position. Returns
/// the least key and the bits that have a distance; `None`, and leaves the keys, where that does not fit.
fn join_positions(keys: &mut [u64], greatest: u64, flip: u64) -> Option<(u64, Range<u32>)> {
    // Keys that are near each other are short.
    let (least, span) = if greatest <= u32::MAX.into() { (0, greatest) } else { extent(keys, flip) };
    if span > u32::MAX.into() || u32::try_from(keys.len()).is_err() {
        return None;
    }
    for (position, key) in keys.iter_mut().enumerate() {
        *key = (*key ^ flip).wrapping_sub(least) << 32 | position as u64;
    }
    Some((least, 32..64 - span.leading_zeros() + 32))
}

/// Visits the positions of the keys of these ranks in order, and loses the keys. Equal keys keep their order.
pub fn positions(
    keys: &mut Vec<u64>,
    greatest: u64,
    descending: bool,
    ranks: Ranks,
    visit: impl FnMut(usize),
) -> Result {
    let flip = if descending { greatest } else { 0 };
    // A key and its position are one number, so that no two are equal.
    if let Some((_, bits)) = join_positions(keys, greatest, flip) {
        if matches!(ranks, Ranks::All) && keys.len() >= MANY {
            bytes::sort(keys, bits)?;
            keys.iter().map(|place| *place as u32 as usize).for_each(visit);
            return Ok(());
        }
        arranged(keys, ranks).iter().map(|place| *place as u32 as usize).for_each(visit);
        return Ok(());
    }
    let numbered = keys.iter().enumerate();
    let mut places: Vec<u128> =
        allocation::collect(numbered.map(|(position, key)| u128::from(key ^ flip) << 64 | position as u128))?;
    arranged(&mut places, ranks).iter().map(|place| *place as u64 as usize).for_each(visit);
    Ok(())
}

/// Returns the least key, and the distance of the greatest one from it.
pub(super) fn extent(keys: &[u64], flip: u64) -> (u64, u64) {
    let (least, most) =
        keys.iter().fold((u64::MAX, 0), |(least, most), key| (least.min(key ^ flip), most.max(key ^ flip)));
    (least, most.saturating_sub(least))
}

/// So many keys are sooner sorted byte by byte than by comparisons.
pub(super) const MANY: usize = 1024;

/// Orders numbers, all of them different, as far as the ranks need it, and returns those.
fn arranged<P: Ord + Copy>(places: &mut [P], ranks: Ranks) -> &[P] {
    match ranks {
        Ranks::First(count) if count < places.len() => {
            let places = least(places, count);
            if count < places.len() {
                places.select_nth_unstable(count);
            }
            places[..count].sort_unstable();
            &places[..count]
        }
        Ranks::All | Ranks::First(_) => {
            places.sort_unstable();
            places
        }
        Ranks::One(rank) if rank < places.len() => {
            places.select_nth_unstable(rank);
            &places[rank..=rank]
        }
        Ranks::One(_) => &[],
    }
}

/// Moves some of the numbers to the front, at least `count`, among which the `count` least ones are, and returns them. A number
/// stays if it is below a limit, which falls whenever too many have stayed.
fn least<P: Ord + Copy>(places: &mut [P], count: usize) -> &mut [P] {
    /// Fewer numbers are selected at once.
    const FEW: usize = 256;
    let room = 4 * count + 32;
    if places.len() < FEW.max(2 * room) || count == 0 {
        return places;
    }
    let mut kept = 0;
    let mut next = 0;
    while next < places.len() {
        if kept + 1 >= room || next == 0 {
            let first = if next == 0 { room } else { kept };
            places[..first].select_nth_unstable(count - 1);
            (kept, next) = (count, next.max(first));
        }
        let limit = places[count - 1];
        // Without a branch, as nobody foresees which numbers stay.
        let end = places.len().min(next + room - kept);
        for index in next..end {
            let place = places[index];
            places[kept] = place;
            kept += usize::from(place < limit);
        }
        next = end;
    }
    &mut places[..kept]
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::{bf16, f16};
    use bytemuck::cast_slice;

    use super::*;

    /// The order of `partial_cmp`, with NaN last.
    fn assert_ordered<T: Pod + PartialOrd>(dtype: DType, elements: &[T]) {
        let keys = Keys::of(dtype).unwrap();
        let mut read = Vec::new();
        keys.read(cast_slice(elements), &mut read).unwrap();
        for (a, key) in elements.iter().zip(&read) {
            assert_eq!(keys.is_nan(*key), a.partial_cmp(a).is_none(), "{dtype}");
            for (b, other) in elements.iter().zip(&read) {
                if let Some(expected) = a.partial_cmp(b) {
                    assert_eq!(key.cmp(other), expected, "{dtype}");
                }
            }
        }
        let mut before: Option<usize> = None;
        positions(&mut read, keys.greatest(), false, Ranks::All, |position| {
            // Nothing is less than what is before it, and what is equal keeps its order.
            let is_in_order = before.is_none_or(|before| {
                let (a, b) = (&elements[before], &elements[position]);
                a < b || b.partial_cmp(b).is_none() || a == b && before < position
            });
            assert!(is_in_order, "{dtype}: {before:?}, {position}");
            before = Some(position);
        })
        .unwrap();
    }

    #[test]
    fn keys_are_in_the_order_of_their_elements() {
        let all: Vec<u16> =
            (0..=u16::MAX).step_by(97).chain([0, 0x8000, 0x7c00, 0xfc00, 0x7f80, 0xff80]).collect();
        assert_ordered::<f16>(DType::F16, cast_slice(&all));
        assert_ordered::<bf16>(DType::BF16, cast_slice(&all));
        assert_ordered::<i16>(DType::I16, cast_slice(&all));
        assert_ordered::<u16>(DType::U16, &all);
        let many: Vec<u16> = all.iter().copied().cycle().take(2 * MANY).collect();
        assert_ordered::<f16>(DType::F16, cast_slice(&many));
        assert_ordered::<i8>(DType::I8, cast_slice(&many));
        let floats = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::MIN_POSITIVE,
            -1e-310,
            f64::MAX,
            f64::MIN,
            1.0 / 0.0,
            -1.0 / 0.0,
            f64::NAN,
        ];
        assert_ordered(DType::F64, &floats);
        assert_ordered(DType::F32, &floats.map(|float| float as f32));
        let whole = [0, 1, -1, i64::MAX, i64::MIN, 255, -128];
        assert_ordered(DType::I64, &whole);
        assert_ordered(DType::U64, &whole.map(|number| number as u64));
        assert_ordered(DType::I32, &whole.map(|number| number as i32));
        assert_ordered(DType::U32, &whole.map(|number| number as u32));
        assert_ordered(DType::I8, &whole.map(|number| number as i8));
        assert_ordered(DType::U8, &whole.map(|number| number as u8));
    }

    /// As the stable sort of the standard library orders them, with the bits that they had: of both zeros, and of each NaN.
    fn assert_sorted<T: Pod + PartialOrd>(dtype: DType, elements: &[T]) {
        let elements: Vec<T> = elements.iter().copied().cycle().take(2 * MANY + 1).collect();
        let (keys, row) = (Keys::of(dtype).unwrap(), cast_slice(&elements));
        let order = |a: &T, b: &T| {
            let is_nan = |x: &T| x.partial_cmp(x).is_none();
            a.partial_cmp(b).unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))
        };
        for descending in [false, true] {
            let mut expected: Vec<usize> = (0..elements.len()).collect();
            expected.sort_by(|a, b| {
                let order = order(&elements[*a], &elements[*b]);
                if descending { order.reverse() } else { order }
            });
            let values: Vec<T> = expected.iter().map(|position| elements[*position]).collect();
            let indices: Vec<i64> = expected.iter().map(|position| *position as i64).collect();
            let mut numbers = Vec::new();
            keys.read(row, &mut numbers).unwrap();
            let sorted = Sorted::of(&mut numbers, keys, descending).unwrap().unwrap();
            let (mut found, mut positions) = (vec![0; row.len()], vec![0; 8 * elements.len()]);
            let first = 3;
            sorted.write_elements(0, row, &mut found[..first * keys.size()]);
            sorted.write_elements(first, row, &mut found[first * keys.size()..]);
            sorted.write_positions(0, &mut positions);
            assert!(found == cast_slice(&values), "{dtype} {descending}");
            assert!(positions == cast_slice(&indices), "{dtype} {descending}");
        }
    }

    #[test]
    fn many_elements_are_written_with_their_bits() {
        let halves = [0x3c00, 0x8000, 0x7e01, 0x0001, 0xfe00, 0x0000, 0xfc00, 0x7c00, 0xbc00, 0x8001_u16];
        assert_sorted::<f16>(DType::F16, cast_slice(&halves));
        assert_sorted::<bf16>(DType::BF16, cast_slice(&halves));
        assert_sorted(DType::F32, &[1.5, -0.0, f32::NAN, 0.0, -2.5, f32::INFINITY, -f32::NAN, -1e-40]);
        assert_sorted(DType::I32, &[3, -1, i32::MIN, 0, i32::MAX]);
        assert_sorted(DType::U8, &[3_u8, 255, 0, 128]);
        assert_sorted(DType::I64, &[1 << 40, (1 << 40) - 7, (1 << 40) + 5_i64]);
    }

    /// Numbers in an order that makes many stay, few or all, with the first ranks as a sort finds them.
    #[test]
    fn the_first_ranks_are_those_of_a_sort() {
        fn mixed(index: u64) -> u64 {
            index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
        }
        let orders: [fn(u64) -> u64; 4] =
            [mixed, |index| index, |index| u64::from(u32::MAX) - index, |index| mixed(index) % 3];
        for order in orders {
            for numel in [1, 31, 300, 5000] {
                for count in [0, 1, 10, 100, numel] {
                    for (high, descending) in [(0, false), (0, true), (1 << 60, false), (1 << 60, true)] {
                        let keys: Vec<u64> = (0..numel).map(order).collect();
                        let mut keys: Vec<u64> = keys.iter().map(|key| key + key % 2 * high).collect();
                        let mut expected: Vec<usize> = (0..keys.len()).collect();
                        expected.sort_by_key(|index| if descending { !keys[*index] } else { keys[*index] });
                        expected.truncate(count as usize);
                        let mut found = Vec::new();
                        let ranks = Ranks::First(count as usize);
                        positions(&mut keys, u64::MAX, descending, ranks, |position| found.push(position))
                            .unwrap();
                        assert_eq!(found, expected, "{numel} {count} {high} {descending}");
                    }
                }
            }
        }
    }
}
