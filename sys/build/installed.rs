//! Writes the bindings of an installed toolkit from its headers: its types and constants, and a table of its functions.

use bindgen::{
    Builder, CodegenConfig, EnumVariation, Formatter, RustEdition,
    callbacks::{IntKind, ParseCallbacks},
};
use quote::{ToTokens, quote};
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};
use syn::{ForeignItem, ForeignItemFn, Item};

/// The directories of C headers, below `include`. Those of the forwarding headers and of internal C++ are left out.
const DIRECTORIES: &[&str] = &["acl", "acl/ops", "aclnn", "aclnnop", "hccl"];

/// C headers that lie among internal ones.
const AMONG_OTHERS: &[&str] =
    &["aclnn/opdev/op_errno.h", "hcomm_channel.h", "hcomm_primitives.h", "hcomm_res.h"];

/// Types that the crate declares itself, without a layout, so that handles pass between both bindings.
const HANDLES: &[&str] = &[
    "aclTensor",
    "aclScalar",
    "aclIntArray",
    "aclFloatArray",
    "aclBoolArray",
    "aclTensorList",
    "aclScalarList",
    "aclOpExecutor",
];

/// Writes `installed.rs` for the module of that name.
pub(crate) fn generate() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    let include = root()?.join("include");
    println!("cargo::rerun-if-changed={}", include.display());
    let includes: String =
        headers(&include)?.iter().map(|header| format!("#include \"{header}\"\n")).collect();
    let bindings = Builder::default()
        .header_contents("toolkit.hpp", &includes)
        // The headers of operators are C++ and include each other by their bare names.
        .clang_args(["-x", "c++", "-std=c++17"])
        .clang_args(["", "aclnn", "aclnnop"].map(|path| format!("-I{}", include.join(path).display())))
        .allowlist_file(format!("{}/.*", escaped(&include)))
        .blocklist_type(HANDLES.join("|"))
        .opaque_type("std::.*")
        .with_codegen_config(CodegenConfig::TYPES | CodegenConfig::VARS | CodegenConfig::FUNCTIONS)
        .default_enum_style(EnumVariation::NewType { is_bitfield: false, is_global: true })
        .prepend_enum_name(false)
        .derive_eq(true)
        .derive_hash(true)
        .layout_tests(false)
        .generate_comments(false)
        .use_core()
        .ctypes_prefix("core::ffi")
        .rust_edition(RustEdition::Edition2024)
        .formatter(Formatter::None)
        .parse_callbacks(Box::new(Codes))
        .generate()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("installed.rs"), module(syn::parse_file(&bindings.to_string())?))?;
    Ok(())
}

/// Returns the toolkit that the environment names, or the one at a default place.
fn root() -> Result<PathBuf, Box<dyn Error>> {
    let named =
        ["ACLNN_CANN_PATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"].into_iter().filter_map(|name| {
            println!("cargo::rerun-if-env-changed={name}");
            env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
        });
    let default = ["/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest"].map(PathBuf::from);
    let tried: Vec<PathBuf> = named.chain(default).collect();
    tried.iter().find(|root| root.join("include/acl/acl.h").is_file()).cloned().ok_or_else(|| {
        format!("the feature `bindgen` of aclnn-sys reads the headers of an installed CANN toolkit, and none of {tried:?} has include/acl/acl.h; set ASCEND_HOME_PATH").into()
    })
}

/// Returns the headers to read, relative to `include`.
fn headers(include: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut headers = Vec::new();
    for directory in DIRECTORIES {
        let Ok(entries) = fs::read_dir(include.join(directory)) else { continue };
        for entry in entries {
            let name = entry?.file_name();
            if let Some(name) = name.to_str().filter(|name| name.ends_with(".h")) {
                headers.push(format!("{directory}/{name}"));
            }
        }
    }
    let others = AMONG_OTHERS.iter().filter(|header| include.join(header).is_file());
    headers.extend(others.map(|header| (*header).to_owned()));
    headers.sort();
    Ok(headers)
}

/// Returns a path as a regular expression.
fn escaped(path: &Path) -> String {
    let letters = path.display().to_string();
    letters
        .chars()
        .flat_map(
            |letter| {
                if letter.is_alphanumeric() || letter == '/' { vec![letter] } else { vec!['\\', letter] }
            },
        )
        .collect()
}

/// Writes types and constants as they are, and functions as a table. Overloads and other C++ functions have no plain
/// names; they are left out, and so are variables.
fn module(file: syn::File) -> String {
    let (foreign, items): (Vec<Item>, Vec<Item>) =
        file.items.into_iter().partition(|item| matches!(item, Item::ForeignMod(_)));
    let functions = foreign.into_iter().flat_map(|item| match item {
        Item::ForeignMod(module) => module.items,
        _ => Vec::new(),
    });
    let functions = functions.filter_map(|item| match item {
        ForeignItem::Fn(function) if function.attrs.is_empty() => Some(function),
        _ => None,
    });
    let (variadic, fixed): (Vec<ForeignItemFn>, Vec<ForeignItemFn>) =
        functions.partition(|function| function.sig.variadic.is_some());
    let table = quote! {
        table! {
            /// The functions that the headers of the toolkit declare.
            pub struct Functions, types in pfn;
            #(#fixed)*
            #(variadic: #variadic)*
        }
    };
    let items = items.into_iter().map(Item::into_token_stream);
    quote!(#(#items)* #table).to_string()
}

/// Gives the codes of operators, which are macros, the type of a result.
#[derive(Debug)]
struct Codes;

impl ParseCallbacks for Codes {
    fn int_macro(&self, name: &str, _value: i64) -> Option<IntKind> {
        name.starts_with("ACLNN_").then_some(IntKind::I32)
    }
}
