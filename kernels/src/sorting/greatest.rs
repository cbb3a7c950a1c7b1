//! The greatest of some floats, by integers that hold the rank of a float and its place: one sort of integers serves all, and a
//! comparison looks nothing up.

use crate::views::allocation;
use crate::views::failure::Result;

/// The rank of a number in the total order of floats.
pub(crate) fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// The rank of a number where both zeros are equal, and NaN is above all numbers, whatever its bits.
pub(crate) fn rank_as_number(number: f32) -> u32 {
    // Zero is added for its sign.
    if number.is_nan() { u32::MAX } else { rank(number + 0.0) }
}

/// The places of the `count` greatest of some ranks with their places: the greatest first, and of equal ones the first.
pub(crate) fn greatest(ranked: &mut dyn Iterator<Item = (u32, usize)>, count: usize) -> Result<Vec<usize>> {
    let mut keys: Vec<u64> =
        allocation::collect(ranked.map(|(rank, place)| u64::from(!rank) << 32 | place as u64))?;
    if count < keys.len() && count > 0 {
        keys.select_nth_unstable(count - 1);
    }
    keys.truncate(count);
    keys.sort_unstable();
    allocation::collect(keys.into_iter().map(|key| key as u32 as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_floats() {
        let ascending = [
            -f32::NAN,
            f32::NEG_INFINITY,
            -2.5,
            -f32::MIN_POSITIVE,
            -0.0,
            0.0,
            1e-40,
            3.0,
            f32::INFINITY,
            f32::NAN,
        ];
        assert!(ascending.is_sorted_by(|a, b| rank(*a) < rank(*b)));
        assert!(ascending[1..9].is_sorted_by_key(|number| rank_as_number(*number)));
        assert_eq!(rank_as_number(-0.0), rank_as_number(0.0));
        assert!([f32::NAN, -f32::NAN].iter().all(|nan| rank_as_number(*nan) > rank_as_number(f32::INFINITY)));
    }

    #[test]
    fn the_greatest_come_first_and_equal_ones_in_their_order() {
        let numbers = [1.0, f32::NAN, -0.0, 5.0, 0.0, 1.0, 5.0];
        let places = |count| {
            let ranks = numbers.iter().map(|number| rank_as_number(*number));
            greatest(&mut ranks.zip(0..), count).unwrap()
        };
        assert_eq!(places(9), [1, 3, 6, 0, 5, 2, 4]);
        assert_eq!(places(4), [1, 3, 6, 0]);
        assert_eq!(places(0), [0; 0]);
    }
}
