//! `cargo xtask bindings`: writes types, constants and tables of functions from the headers.

mod doc;
mod functions;
mod types;

use crate::{
    output::{Mode, Output},
    workspace,
};
use anyhow::{Context, Result};
use bindgen::{
    Builder, CodegenConfig, EnumVariation, Formatter,
    callbacks::{IntKind, ParseCallbacks},
};

/// The headers that bindgen reads. Their order is the order of the functions in the tables.
const HEADERS: &[&str] = &[
    "acl/acl.h",
    "acl/acl_op_compiler.h",
    "acl/acl_rt_allocator.h",
    "acl/acl_rt_memory_soma.h",
    "acl/acl_dump.h",
    "acl/acl_prof.h",
    "acl/acl_platform.h",
    "acl/acl_tdt.h",
    "acl/acl_tdt_queue.h",
    "aclnn/aclnn_base.h",
    "aclnn/opdev/op_errno.h",
    "hccl/hccl.h",
    "hccl/hccl_ccu_res.h",
    "hccl/hccl_channel.h",
    "hccl/hccl_launch.h",
    "hccl/hccl_mc2.h",
    "hccl/hccl_rank_graph.h",
    "hccl/hccl_res.h",
    "hccl/hccl_sym_win.h",
    "hccl/hccl_team.h",
    "hcomm_channel.h",
    "hcomm_primitives.h",
    "hcomm_res.h",
];

/// The names of this project among everything that the headers include.
const OURS: &str = "(acl|Acl|ACL|Hccl|HCCL|Hcomm|HCOMM).*|dim3|Comm(Engine|Link|Mem|Topo)|Endpoint(Attr|Desc)|Thread(Config|Type|ResType)";

/// The names of include guards.
const GUARDS: &str = "(ACL(NN|NNOP)?|HCCL)_.*_H";

const NOTICE: &str = "// Written by `cargo xtask bindings` from `include/`; change the headers instead.\n\n";

/// Writes or checks the bindings.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut output = Output::default();
    let bindings = workspace::sys().join("src/bindings");
    let types = parsed(
        headers()
            .allowlist_type(OURS)
            .allowlist_var(OURS)
            .blocklist_item(GUARDS)
            // It ends in an array of unknown length, so that only pointers to it are passed.
            .opaque_type("acldumpChunk")
            .with_codegen_config(CodegenConfig::TYPES | CodegenConfig::VARS),
    )?;
    output.file(bindings.join("types.rs"), format!("{NOTICE}{}", types::text(&types)));

    let mut text = format!("{NOTICE}use super::types::*;\nuse crate::table::table;\nuse core::ffi::*;\n");
    for table in functions::TABLES {
        let declared = headers().allowlist_file(table.headers).with_codegen_config(CodegenConfig::FUNCTIONS);
        text += &format!("\n{}", functions::text(table, &parsed(declared)?)?);
    }
    output.file(bindings.join("functions.rs"), text);
    output.finish(mode)
}

/// Returns the headers for bindgen to read.
fn headers() -> Builder {
    let includes: String = HEADERS.iter().map(|header| format!("#include \"{header}\"\n")).collect();
    let include = workspace::sys().join("include");
    Builder::default()
        .header_contents("aclnn.hpp", &includes)
        .clang_args(["-x", "c++", "-std=c++17", "--target=x86_64-unknown-linux-gnu"])
        .clang_arg(format!("-I{}", include.display()))
        .default_enum_style(EnumVariation::NewType { is_bitfield: false, is_global: true })
        .prepend_enum_name(false)
        .derive_eq(true)
        .derive_hash(true)
        .layout_tests(false)
        .use_core()
        .ctypes_prefix("core::ffi")
        .formatter(Formatter::None)
        .disable_header_comment()
        .parse_callbacks(Box::new(Corrections))
}

fn parsed(builder: Builder) -> Result<syn::File> {
    let text = builder.generate().context("running bindgen")?.to_string();
    syn::parse_file(&text).context("parsing what bindgen wrote")
}

/// The types of macros, by the prefix of their names.
const MACRO_TYPES: &[(&str, &str)] = &[
    ("ACLNN_", "aclnnStatus"),
    ("ACL_DEV_FEATURE_", "i32"),
    ("ACL_DUMP_MAX_", "usize"),
    ("ACL_HOST_REG_", "u64"),
    ("ACL_IPC_", "usize"),
    ("ACL_MDLRI_DEBUG_JSON_PRINT_", "u64"),
    ("ACL_NOTIFY_", "u64"),
    ("ACL_MAJOR_VERSION", "i32"),
    ("ACL_MINOR_VERSION", "i32"),
    ("ACL_PATCH_VERSION", "i32"),
    ("ACL_PKG_", "usize"),
    ("ACL_PROF_EVENT_ATTR_VERSION", "u16"),
    ("ACL_PROF_MAX_", "usize"),
    ("ACL_PROF_TENSOR_DATA_SHAPE_LEN", "usize"),
    ("ACL_PROF_", "u64"),
    ("ACL_RT_CMO_MAX_BARRIER_NUM", "usize"),
    ("ACL_RT_DEVS_TOPOLOGY_", "u64"),
    ("ACL_RT_IPC_", "u64"),
    ("ACL_RT_NOTIFY_", "u64"),
    ("ACL_RT_VMM_", "u64"),
    ("ACL_UNKNOWN_RANK", "i64"),
    ("HCCL_COMM_ALGO_", "usize"),
    ("HCCL_COMM_CONFIG_INFO_BYTES", "usize"),
    ("HCCL_COMM_CONFIG_", "u32"),
    ("HCCL_COMM_NAME_", "usize"),
    ("HCCL_COMM_RETRY_", "usize"),
    ("HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE", "u64"),
    ("HCCL_ROOT_INFO_", "usize"),
];

#[derive(Debug)]
struct Corrections;

impl ParseCallbacks for Corrections {
    fn int_macro(&self, name: &str, _value: i64) -> Option<IntKind> {
        let (_, name) = MACRO_TYPES.iter().find(|(prefix, _)| name.starts_with(prefix))?;
        Some(IntKind::Custom { name, is_signed: true })
    }

    fn process_comment(&self, comment: &str) -> Option<String> {
        Some(doc::markdown(comment))
    }
}
