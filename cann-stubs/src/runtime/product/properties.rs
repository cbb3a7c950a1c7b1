//! The properties of the emulated product that programs may query.

use aclnn_numerics::product::Product as Line;

use crate::settings;

/// The properties of a device that programs may query. Sizes are in bytes.
///
/// Cores and sizes are plausible for one model of each line: programs divide work by them, and nothing else depends on it.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) cube_cores: i64,
    pub(crate) vector_cores: i64,
    pub(crate) cpu_cores: i64,
    pub(crate) l2_cache: i64,
    /// The buffer of a vector core.
    pub(crate) unified_buffer: i64,
    /// Whether operators take bf16.
    pub(crate) bf16: bool,
    /// The spare bytes after every allocation.
    pub(crate) padding: usize,
    /// Hardware ids of events that a device has. Documented for the 310P and the 910B; the others are taken to have as many
    /// as the latter.
    pub(crate) event_ids: u32,
}

const ASCEND_910: Product = Product {
    cube_cores: 32,
    vector_cores: 32,
    cpu_cores: 14,
    l2_cache: 32 << 20,
    unified_buffer: 256 << 10,
    bf16: false,
    padding: 32,
    event_ids: 65_536,
};

const ASCEND_310P: Product = Product {
    cube_cores: 8,
    vector_cores: 8,
    cpu_cores: 7,
    l2_cache: 16 << 20,
    unified_buffer: 256 << 10,
    event_ids: 1_023,
    ..ASCEND_910
};

const ASCEND_910B: Product = Product {
    cube_cores: 24,
    vector_cores: 48,
    cpu_cores: 6,
    l2_cache: 192 << 20,
    unified_buffer: 192 << 10,
    bf16: true,
    padding: 32,
    event_ids: 65_536,
};

const ASCEND_950: Product = Product {
    cube_cores: 32,
    vector_cores: 64,
    l2_cache: 128 << 20,
    unified_buffer: 248 << 10,
    padding: 0,
    ..ASCEND_910B
};

pub(crate) fn emulated() -> &'static Product {
    match settings::get().product {
        Line::Ascend910 => &ASCEND_910,
        Line::Ascend310P => &ASCEND_310P,
        Line::Ascend910B => &ASCEND_910B,
        Line::Ascend950 => &ASCEND_950,
    }
}

/// The lowest priority of streams; 0 is the highest.
pub(crate) const LEAST_PRIORITY: u32 = 7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_product_computes_with_the_types_of_its_line() {
        for (line, product) in [
            (Line::Ascend910, &ASCEND_910),
            (Line::Ascend310P, &ASCEND_310P),
            (Line::Ascend910B, &ASCEND_910B),
            (Line::Ascend950, &ASCEND_950),
        ] {
            let list = aclnn_numerics::types_by_product::Types::of("float").on(line);
            assert_eq!(list.contains(aclnn_numerics::DType::BF16), product.bf16, "{line:?}");
        }
    }
}
