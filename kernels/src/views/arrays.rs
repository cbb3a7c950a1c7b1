//! Arrays that loops fill. `map` and `from_fn` of the standard library do the same by seven functions, which are compiled
//! for each use.

/// Returns the result of a function for each item; `none` stands in the array until then.
#[inline(always)]
pub(crate) fn mapped<T: Copy, U: Copy, const N: usize>(
    items: [T; N],
    none: U,
    function: impl Fn(T) -> U,
) -> [U; N] {
    let mut results = [none; N];
    for index in 0..N {
        results[index] = function(items[index]);
    }
    results
}
