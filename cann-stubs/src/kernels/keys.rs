//! Keys: unsigned integers in the order of the elements, so that one sort serves every type of a width.

use aclnn_numerics::DType;
use bytemuck::{Pod, pod_collect_to_vec};

/// How the elements of a type become keys. NaN is greater than every number, and both zeros are equal.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
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
    /// The keys of a type of real numbers.
    pub(crate) fn of(dtype: DType) -> Option<Self> {
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

    /// Bytes of an element.
    pub(crate) fn size(self) -> usize {
        self.size
    }

    /// The greatest key; that of NaN if the elements are floats.
    pub(crate) fn greatest(self) -> u64 {
        u64::MAX >> (64 - 8 * self.size.clamp(1, 8))
    }

    /// Whether a key is that of NaN.
    pub(crate) fn is_nan(self, key: u64) -> bool {
        matches!(self.kind, Kind::Float(_)) && key == self.greatest()
    }

    /// The keys of elements.
    pub(crate) fn read(self, elements: &[u8]) -> Vec<u64> {
        let mut keys = match self.size {
            1 => elements.iter().map(|element| u64::from(*element)).collect(),
            2 => widened::<u16>(elements),
            4 => widened::<u32>(elements),
            _ => pod_collect_to_vec(elements),
        };
        let (greatest, sign) = (self.greatest(), self.greatest() / 2 + 1);
        match self.kind {
            Kind::Unsigned => {}
            Kind::Signed => keys.iter_mut().for_each(|key| *key ^= sign),
            Kind::Float(infinity) => keys.iter_mut().for_each(|key| {
                let (magnitude, is_negative) = (*key & !sign, *key & sign != 0);
                *key = match magnitude {
                    nan if nan > infinity => greatest,
                    0 => sign,
                    _ if is_negative => !*key & greatest,
                    _ => *key | sign,
                };
            }),
        }
        keys
    }
}

fn widened<T: Pod + Into<u64>>(elements: &[u8]) -> Vec<u64> {
    let elements = elements.chunks_exact(size_of::<T>());
    elements.map(|element| bytemuck::pod_read_unaligned::<T>(element).into()).collect()
}

/// The ranks whose positions are asked for.
#[derive(Clone, Copy)]
pub(crate) enum Ranks {
    All,
    /// So many, from the first on.
    First(usize),
    One(usize),
}

/// Returns the positions of the keys of these ranks, in order. Equal keys keep their order.
pub(crate) fn positions(keys: &[u64], greatest: u64, descending: bool, ranks: Ranks) -> Vec<usize> {
    let flip = if descending { greatest } else { 0 };
    let numbered = || keys.iter().map(|key| key ^ flip).enumerate();
    if greatest <= u32::MAX.into() && u32::try_from(keys.len()).is_ok() {
        let mut places: Vec<u64> = numbered().map(|(position, key)| key << 32 | position as u64).collect();
        return arranged(&mut places, ranks).iter().map(|place| *place as u32 as usize).collect();
    }
    let mut places: Vec<u128> =
        numbered().map(|(position, key)| u128::from(key) << 64 | position as u128).collect();
    arranged(&mut places, ranks).iter().map(|place| *place as u64 as usize).collect()
}

/// Orders numbers, all of them different, as far as the ranks need it, and returns those.
fn arranged<P: Ord>(places: &mut [P], ranks: Ranks) -> &[P] {
    match ranks {
        Ranks::First(count) if count < places.len() => {
            places.select_nth_unstable(count);
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

#[cfg(test)]
mod tests {
    use aclnn_numerics::{bf16, f16};
    use bytemuck::cast_slice;

    use super::*;

    /// The order of `partial_cmp`, with NaN last.
    fn assert_ordered<T: Pod + PartialOrd>(dtype: DType, elements: &[T]) {
        let keys = Keys::of(dtype).unwrap();
        let read = keys.read(cast_slice(elements));
        for (a, key) in elements.iter().zip(&read) {
            assert_eq!(keys.is_nan(*key), a.partial_cmp(a).is_none(), "{dtype}");
            for (b, other) in elements.iter().zip(&read) {
                if let Some(expected) = a.partial_cmp(b) {
                    assert_eq!(key.cmp(other), expected, "{dtype}");
                }
            }
        }
        assert_eq!(positions(&read, keys.greatest(), false, Ranks::All).len(), elements.len());
    }

    #[test]
    fn keys_are_in_the_order_of_their_elements() {
        let all: Vec<u16> =
            (0..=u16::MAX).step_by(97).chain([0, 0x8000, 0x7c00, 0xfc00, 0x7f80, 0xff80]).collect();
        assert_ordered::<f16>(DType::F16, cast_slice(&all));
        assert_ordered::<bf16>(DType::BF16, cast_slice(&all));
        assert_ordered::<i16>(DType::I16, cast_slice(&all));
        assert_ordered::<u16>(DType::U16, &all);
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
}
