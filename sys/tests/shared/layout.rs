//! Structs lie in memory as the facts say, in Rust and in C.

#![allow(clippy::unwrap_used, clippy::panic)]

use aclnn_sys::*;
use std::ffi::{c_char, c_uchar, c_void};
use std::mem::{align_of, offset_of, size_of};

use crate::{published, support};

/// Size, alignment and members of a struct or union.
struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    /// Name, type in Rust and offset of each, in order.
    members: &'static [(&'static str, &'static str, usize)],
}

/// Lists the facts and compares the bindings with them.
macro_rules! layouts {
    ($($name:ident $size:literal/$align:literal: $($member:ident: $type:ty = $offset:literal),+;)*) => {
        const LAYOUTS: &[Layout] = &[$(Layout {
            name: stringify!($name),
            size: $size,
            align: $align,
            members: &[$((stringify!($member), stringify!($type), $offset)),+],
        }),*];

        #[test]
        fn bindings_hold_the_facts() {
            $(
                assert_eq!((size_of::<$name>(), align_of::<$name>()), ($size, $align), stringify!($name));
                $(
                    assert_eq!(
                        offset_of!($name, $member), $offset,
                        concat!(stringify!($name), ".", stringify!($member))
                    );
                    // SAFETY: only the place is named, nothing is read.
                    let _ = |whole: *const $name| -> *const $type { unsafe { &raw const (*whole).$member } };
                )+
            )*
        }
    };
}

// From the published headers of CANN's runtime 8.5.0 to 9.1.0 and after, whose sizes and offsets were found by compiling them
// for x86-64. Later releases add members to unions; the name of `enableProfiling` alone is a guess.
layouts! {
    HcclRootInfo 4108/1: internal: [c_char; 4108] = 0;
    HcclSendRecvItem 32/8: sendRecvType: HcclSendRecvType = 0, buf: *mut c_void = 8, count: u64 = 16,
        dataType: HcclDataType = 24, remoteRank: u32 = 28;
    HcclCommConfig 2248/8: size: usize = 0, magicWord: u32 = 8, version: u32 = 12, reserved: u64 = 16,
        hcclBufferSize: u32 = 24, hcclDeterministic: u32 = 28, hcclCommName: [c_char; 128] = 32,
        hcclUdi: [c_char; 128] = 160, hcclOpExpansionMode: u32 = 288, hcclRdmaTrafficClass: u32 = 292,
        hcclRdmaServiceLevel: u32 = 296, hcclWorldRankID: u32 = 300, hcclJobID: u64 = 304,
        aclGraphZeroCopyEnable: u8 = 312, hcclExecTimeOut: i32 = 316, hcclAlgo: [c_char; 1600] = 320,
        hcclRetryEnable: [c_char; 50] = 1920, hcclRetryParams: [c_char; 128] = 1970,
        hcclBufferName: [c_char; 128] = 2098, hcclQos: u32 = 2228,
        hcclSymWinMaxMemSizePerRank: u64 = 2232, hcclChannelSqDepth: u32 = 2240;
    aclrtMemLocation 8/4: id: u32 = 0, type_: aclrtMemLocationType = 4;
    aclrtPhysicalMemProp 32/8: handleType: aclrtMemHandleType = 0, allocationType: aclrtMemAllocationType = 4,
        memAttr: aclrtMemAttr = 8, location: aclrtMemLocation = 12, reserve: u64 = 24;
    aclrtMallocAttrValue 8/4: moduleId: u16 = 0, deviceId: u32 = 0, vaFlag: u32 = 0, rsv: [u8; 8] = 0;
    aclrtMallocAttribute 12/4: attr: aclrtMallocAttrType = 0, value: aclrtMallocAttrValue = 4;
    aclrtMallocConfig 16/8: attrs: *mut aclrtMallocAttribute = 0, numAttrs: usize = 8;
    aclrtPtrAttributes 28/4: location: aclrtMemLocation = 0, pageSize: u32 = 8, rsv: [u32; 4] = 12;
    aclrtMemUsageInfo 112/8: name: [c_char; 32] = 0, curMemSize: u64 = 32, memPeakSize: u64 = 40,
        reserved: [usize; 8] = 48;
    aclrtMemAccessDesc 24/4: flags: aclrtMemAccessFlags = 0, location: aclrtMemLocation = 4, rsv: [u8; 12] = 12;
    aclrtUuid 16/1: bytes: [c_char; 16] = 0;
    aclrtMemFabricHandle 128/1: data: [u8; 128] = 0;
    aclrtMemcpyBatchAttr 32/4: dstLoc: aclrtMemLocation = 0, srcLoc: aclrtMemLocation = 8, rsv: [u8; 16] = 16;
    aclrtMemPoolProps 56/8: allocType: aclrtMemAllocationType = 0, handleType: aclrtMemHandleType = 4,
        location: aclrtMemLocation = 8, maxSize: usize = 16, reserved: [c_uchar; 32] = 24;
    aclrtUtilizationInfo 24/8: cubeUtilization: i32 = 0, vectorUtilization: i32 = 4, aicpuUtilization: i32 = 8,
        memoryUtilization: i32 = 12, utilizationExtend: *mut aclrtUtilizationExtendInfo = 16;
    aclrtStreamAttrValue 16/8: failureMode: u64 = 0, overflowSwitch: u32 = 0, userCustomTag: u32 = 0,
        cacheOpInfoSwitch: u32 = 0, streamPriority: u32 = 0, reserve: [u32; 4] = 0;
    aclrtMemUceInfo 128/8: addr: *mut c_void = 0, len: usize = 8, reserved: [usize; 14] = 16;
    aclrtMemUceInfoArray 2568/8: arraySize: usize = 0, memUceInfoArray: [aclrtMemUceInfo; 20] = 8;
    aclrtErrorInfoDetail 2568/8: uceInfo: aclrtMemUceInfoArray = 0, aicoreErrType: aclrtAicoreErrorType = 0;
    aclrtErrorInfo 2576/8: tryRepair: u8 = 0, hasDetail: u8 = 1, reserved: [u8; 2] = 2, errorType: aclrtErrorType = 4,
        detail: aclrtErrorInfoDetail = 8;
    aclrtIpcEventHandle 64/1: reserved: [c_char; 64] = 0;
    aclrtBinaryLoadOptionValue 16/4: isLazyLoad: u32 = 0, magic: u32 = 0, cpuKernelMode: i32 = 0, rsv: [u32; 4] = 0;
    aclrtBinaryLoadOption 20/4: type_: aclrtBinaryLoadOptionType = 0, value: aclrtBinaryLoadOptionValue = 4;
    aclrtBinaryLoadOptions 16/8: options: *mut aclrtBinaryLoadOption = 0, numOpt: usize = 8;
    aclrtLaunchKernelAttrValue 16/4: schemMode: u8 = 0, localMemorySize: u32 = 0, dynUBufSize: u32 = 0,
        engineType: aclrtEngineType = 0, blockDimOffset: u32 = 0, isBlockTaskPrefetch: u8 = 0, isDataDump: u8 = 0,
        enableProfiling: u8 = 0, timeout: u16 = 0, timeoutUs: aclrtTimeoutUs = 0, rsv: [u32; 4] = 0;
    aclrtLaunchKernelAttr 20/4: id: aclrtLaunchKernelAttrId = 0, value: aclrtLaunchKernelAttrValue = 4;
    aclrtLaunchKernelCfg 16/8: attrs: *mut aclrtLaunchKernelAttr = 0, numAttrs: usize = 8;
    aclrtTimeoutUs 8/4: timeoutLow: u32 = 0, timeoutHigh: u32 = 4;
    aclrtPlaceHolderInfo 8/4: addrOffset: u32 = 0, dataOffset: u32 = 4;
    aclmdlRICondTaskParams 24/8: handle: aclmdlRICondHandle = 0, type_: aclmdlRICondTaskType = 8, size: u32 = 12,
        modelRIArray: *mut aclmdlRI = 16;
    aclmdlIODims 1160/8: name: [c_char; 128] = 0, dimCount: usize = 128, dims: [i64; 128] = 136;
    aclCANNPackageVersion 512/1: version: [c_char; 128] = 0, majorVersion: [c_char; 64] = 128,
        minorVersion: [c_char; 64] = 192, releaseVersion: [c_char; 64] = 256, patchVersion: [c_char; 64] = 320,
        reserved: [c_char; 128] = 384;
    dim3 12/4: x: u32 = 0, y: u32 = 4, z: u32 = 8;
}

/// Structures whose tags the published table has, and whose names are those of types.
const TAGS: &[(&str, &str)] = &[
    ("HcclRootInfoDef", "HcclRootInfo"),
    ("HcclSendRecvItemDef", "HcclSendRecvItem"),
    ("HcclCommConfigDef", "HcclCommConfig"),
    ("tagAclmdlRICondTaskParams", "aclmdlRICondTaskParams"),
];

/// Structures and unions of which only the bytes are known, within those of the published table.
const CHOSEN: &[&str] = &[
    "EndpointDesc",
    "HcclOpDescDetails",
    "HcclStructureHeader",
    "aclmdlRITaskDetails",
    "aclrtRandomNumFuncParaDetails",
];

/// The facts name every member of every structure that the headers define.
#[test]
fn no_structure_has_more_members_than_the_facts() {
    let source = include_str!("../../src/bindings/types.rs");
    let mut known = 0;
    for keyword in ["pub struct ", "pub union "] {
        for definition in source.split(keyword).skip(1) {
            let Some((name, body)) = definition.split_once(" {\n") else { continue };
            let Some((body, _)) = body.split_once("\n}") else { continue };
            let members: Vec<&str> =
                body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split(':').next()).collect();
            if name.contains(['(', ';']) || members.is_empty() {
                continue;
            }
            let name = TAGS.iter().find(|(tag, _)| *tag == name).map_or(name, |(_, name)| name);
            let is_compared_elsewhere = published::structures().any(|structure| structure.name == name);
            if CHOSEN.contains(&name) || is_compared_elsewhere {
                continue;
            }
            let layout = LAYOUTS.iter().find(|layout| layout.name == name);
            let layout = layout.unwrap_or_else(|| panic!("{name} is not among the facts"));
            let facts: Vec<&str> = layout.members.iter().map(|(member, _, _)| *member).collect();
            assert_eq!(members, facts, "{name}");
            known += 1;
        }
    }
    assert_eq!(known, LAYOUTS.len());
}

/// A type of Rust as a C++ program names it.
fn in_c(rust: &str) -> String {
    if let Some((element, count)) =
        rust.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once("; "))
    {
        return format!("{}[{count}]", in_c(element));
    }
    if let Some(target) = rust.strip_prefix("*mut ") {
        return format!("{} *", in_c(target));
    }
    match rust {
        "c_char" => "char".to_owned(),
        "c_uchar" => "unsigned char".to_owned(),
        "c_void" => "void".to_owned(),
        "usize" => "size_t".to_owned(),
        "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &rust[1..]),
        "i32" | "i64" => format!("int{}_t", &rust[1..]),
        name => name.to_owned(),
    }
}

#[test]
fn headers_hold_the_facts() {
    let mut c = String::from(
        "#include <stddef.h>\n#include \"acl/acl.h\"\n#include \"hccl/hccl.h\"\n#include \"acl/acl_rt_memory_soma.h\"\n",
    );
    let mut cpp = format!("#include <type_traits>\n{c}");
    let mut claims = 0;
    let mut claim = |claim: String| {
        claims += 1;
        c.push_str(&format!("typedef char claim_{claims}[({claim}) ? 1 : -1];\n"));
    };
    for layout in LAYOUTS {
        let name = layout.name;
        claim(format!("sizeof({name}) == {}", layout.size));
        // C99 has no alignof; the offset behind one byte is the same.
        claim(format!("offsetof(struct {{ char first; {name} second; }}, second) == {}", layout.align));
        for (member, rust, offset) in layout.members {
            let member = member.trim_end_matches('_');
            claim(format!("offsetof({name}, {member}) == {offset}"));
            let same = format!("std::is_same<decltype({name}::{member}), {}>::value", in_c(rust));
            cpp.push_str(&format!("static_assert({same}, \"{name}.{member}\");\n"));
        }
    }
    support::run(support::Language::C99, &(c + "int main(void) { return 0; }\n"));
    support::run(support::Language::Cpp17, &(cpp + "int main() { return 0; }\n"));
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
