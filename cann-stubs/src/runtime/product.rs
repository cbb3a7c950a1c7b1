//! The emulated product, and the CANN release that the emulator stands for.

/// What programs may ask about a device.
#[derive(Debug)]
pub(crate) struct Product {
    /// As C reads it.
    pub(crate) soc_name: &'static std::ffi::CStr,
    pub(crate) cube_cores: i64,
    pub(crate) vector_cores: i64,
    pub(crate) cpu_cores: i64,
    /// Bytes.
    pub(crate) l2_cache: i64,
    /// Bytes of the unified buffer of a vector core.
    pub(crate) unified_buffer: i64,
}

/// An Atlas A2 training product: `bf16` computes, overflow gives infinity.
pub(crate) const ASCEND_910B: Product = Product {
    soc_name: c"Ascend910B1",
    cube_cores: 24,
    vector_cores: 48,
    cpu_cores: 6,
    l2_cache: 192 << 20,
    unified_buffer: 192 << 10,
};

pub(crate) fn emulated() -> &'static Product {
    &ASCEND_910B
}

/// Priority of the streams that go last; those of 0 go first.
pub(crate) const LEAST_PRIORITY: u32 = 7;

/// Version of the runtime's interface.
pub(crate) const INTERFACE: (i32, i32, i32) = (1, 17, 0);

/// The CANN release: major, minor, patch.
pub(crate) const RELEASE: (i32, i32, i32) = (9, 1, 0);

/// The release as text, which does not hide what it is.
pub(crate) const RELEASE_TEXT: &str = "9.1.0+emulated";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_the_release() {
        let (major, minor, patch) = RELEASE;
        assert_eq!(RELEASE_TEXT, format!("{major}.{minor}.{patch}+emulated"));
    }
}
