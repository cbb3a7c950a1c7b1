//! Structs lie in memory as the facts say, in Rust and in C.

mod support;

use aclnn_sys::*;
use std::mem::{align_of, offset_of, size_of};

/// Size, alignment and offsets of a struct or union.
struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    fields: &'static [(&'static str, usize)],
}

/// Lists the facts and compares the bindings with them.
macro_rules! layouts {
    ($($name:ident $size:literal/$align:literal: $($field:ident @ $offset:literal),+;)*) => {
        const LAYOUTS: &[Layout] = &[$(Layout {
            name: stringify!($name),
            size: $size,
            align: $align,
            fields: &[$((stringify!($field), $offset)),+],
        }),*];

        #[test]
        fn bindings_hold_the_facts() {
            $(
                assert_eq!((size_of::<$name>(), align_of::<$name>()), ($size, $align), stringify!($name));
                $(assert_eq!(offset_of!($name, $field), $offset, concat!(stringify!($name), ".", stringify!($field)));)+
            )*
        }
    };
}

layouts! {
    aclrtMemLocation 8/4: id @ 0, type_ @ 4;
    aclrtPhysicalMemProp 32/8: handleType @ 0, allocationType @ 4, memAttr @ 8, location @ 12, reserve @ 24;
    aclrtMallocAttrValue 8/4: moduleId @ 0, deviceId @ 0, vaFlag @ 0, rsv @ 0;
    aclrtMallocAttribute 12/4: attr @ 0, value @ 4;
    aclrtMallocConfig 16/8: attrs @ 0, numAttrs @ 8;
    aclrtPtrAttributes 28/4: location @ 0, pageSize @ 8, rsv @ 12;
    aclrtMemUsageInfo 112/8: name @ 0, curMemSize @ 32, memPeakSize @ 40, reserved @ 48;
    aclrtMemAccessDesc 24/4: flags @ 0, location @ 4, rsv @ 12;
    aclrtUuid 16/1: bytes @ 0;
    aclrtMemFabricHandle 128/1: data @ 0;
    aclrtMemcpyBatchAttr 32/4: dstLoc @ 0, srcLoc @ 8, rsv @ 16;
    aclrtMemPoolProps 56/8: allocType @ 0, handleType @ 4, location @ 8, maxSize @ 16, reserved @ 24;
    aclrtUtilizationInfo 24/8: cubeUtilization @ 0, vectorUtilization @ 4, aicpuUtilization @ 8,
        memoryUtilization @ 12, utilizationExtend @ 16;
    aclrtStreamAttrValue 16/8: failureMode @ 0, overflowSwitch @ 0, userCustomTag @ 0, cacheOpInfoSwitch @ 0,
        streamPriority @ 0, reserve @ 0;
    aclrtMemUceInfo 128/8: addr @ 0, len @ 8, reserved @ 16;
    aclrtMemUceInfoArray 2568/8: arraySize @ 0, memUceInfoArray @ 8;
    aclrtErrorInfoDetail 2568/8: uceInfo @ 0, aicoreErrType @ 0;
    aclrtErrorInfo 2576/8: tryRepair @ 0, hasDetail @ 1, reserved @ 2, errorType @ 4, detail @ 8;
    aclrtIpcEventHandle 64/1: reserved @ 0;
    aclrtBinaryLoadOptionValue 16/4: isLazyLoad @ 0, magic @ 0, cpuKernelMode @ 0, rsv @ 0;
    aclrtBinaryLoadOption 20/4: type_ @ 0, value @ 4;
    aclrtBinaryLoadOptions 16/8: options @ 0, numOpt @ 8;
    aclrtLaunchKernelAttrValue 16/4: schemMode @ 0, localMemorySize @ 0, engineType @ 0, timeout @ 0, timeoutUs @ 0,
        rsv @ 0;
    aclrtLaunchKernelAttr 20/4: id @ 0, value @ 4;
    aclrtLaunchKernelCfg 16/8: attrs @ 0, numAttrs @ 8;
    aclrtTimeoutUs 8/4: timeoutLow @ 0, timeoutHigh @ 4;
    aclrtPlaceHolderInfo 8/4: addrOffset @ 0, dataOffset @ 4;
    aclmdlRICondTaskParams 24/8: handle @ 0, type_ @ 8, size @ 12, modelRIArray @ 16;
    aclmdlIODims 1160/8: name @ 0, dimCount @ 128, dims @ 136;
    aclCANNPackageVersion 512/1: version @ 0, majorVersion @ 128, minorVersion @ 192, releaseVersion @ 256,
        patchVersion @ 320, reserved @ 384;
}

#[test]
fn headers_hold_the_facts() {
    let mut source =
        String::from("#include <stddef.h>\n#include \"acl/acl.h\"\n#include \"acl/acl_rt_memory_soma.h\"\n");
    let mut claim = |claim: String| source.push_str(&format!("typedef char claim[({claim}) ? 1 : -1];\n"));
    for layout in LAYOUTS {
        let name = layout.name;
        claim(format!("sizeof({name}) == {}", layout.size));
        // C99 has no alignof; the offset behind one byte is the same.
        claim(format!("offsetof(struct {{ char first; {name} second; }}, second) == {}", layout.align));
        for (field, offset) in layout.fields {
            claim(format!("offsetof({name}, {}) == {offset}", field.trim_end_matches('_')));
        }
    }
    let source = source.replace("typedef char claim[", "typedef char CLAIM[");
    let mut numbered = String::new();
    for (number, line) in source.lines().enumerate() {
        numbered += &line.replace("CLAIM", &format!("claim_{number}"));
        numbered.push('\n');
    }
    support::run(support::Language::C99, &(numbered + "int main(void) { return 0; }\n"));
}

#[test]
fn enums_are_32_bits_with_the_sign_of_c() {
    assert_eq!((size_of::<aclDataType>(), size_of::<aclrtMemcpyKind>()), (4, 4));
    let signed: (i32, i32, i32, i32) =
        (ACL_DT_UNDEFINED.0, ACL_FORMAT_UNDEFINED.0, ACL_CANN_ATTR_UNDEFINED.0, ACL_DEVICE_INFO_UNDEFINED.0);
    assert_eq!(signed, (-1, -1, -1, -1));
    let _: u32 = ACL_MEMCPY_HOST_TO_DEVICE.0;
}

#[test]
fn operator_parameters_have_the_types_of_c() {
    let _: Launch = {
        unsafe extern "C" fn launch(
            _: *mut std::ffi::c_void,
            _: u64,
            _: *mut aclOpExecutor,
            _: aclrtStream,
        ) -> aclnnStatus {
            ACLNN_SUCCESS
        }
        launch
    };
    let _: parameter_type!(scalars) = std::ptr::null::<aclScalarList>();
    let _: parameter_type!(tensors_out) = std::ptr::null_mut::<aclTensorList>();
}
