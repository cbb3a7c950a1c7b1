//! Functions, as invocations of `table!`.

use super::doc;
use anyhow::{Context, Result, bail};
use syn::{ForeignItem, ForeignItemFn, Item, ItemForeignMod, parse_quote};

/// A table: the functions of one library.
pub(super) struct Table {
    name: &'static str,
    doc: &'static str,
    /// The module of the types of its functions.
    types: &'static str,
    /// The headers that declare the functions.
    pub(super) headers: &'static str,
}

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "Runtime",
        doc: "Devices, contexts, streams, events, callbacks, memory, errors, versions.",
        types: "runtime_pfn",
        headers: ".*/include/acl/.*",
    },
    Table {
        name: "Meta",
        doc: "Tensors, scalars, arrays, lists, executors.",
        types: "meta_pfn",
        headers: ".*/include/aclnn/.*",
    },
    Table {
        name: "Collectives",
        doc: "Communicators, what the ranks of a group do together, and what that is built of.",
        types: "collectives_pfn",
        headers: ".*/include/(hccl/|hcomm_).*",
    },
];

/// Writes one table.
pub(super) fn text(table: &Table, file: &syn::File) -> Result<String> {
    let (variadic, fixed): (Vec<&ForeignItemFn>, Vec<&ForeignItemFn>) =
        declared(file).partition(|function| function.sig.variadic.is_some());
    let mut text = format!(
        "table! {{\n    /// {}\n    pub struct {}, types in {};\n\n",
        table.doc, table.name, table.types
    );
    text += &body(&fixed)?;
    for function in variadic {
        text += &format!("\n    variadic:\n{}", body(&[function])?);
    }
    Ok(text + "}\n")
}

fn declared(file: &syn::File) -> impl Iterator<Item = &ForeignItemFn> {
    let modules = file.items.iter().filter_map(|item| match item {
        Item::ForeignMod(module) => Some(&module.items),
        _ => None,
    });
    modules.flatten().filter_map(|item| match item {
        ForeignItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// Writes the declarations, indented as inside braces.
fn body(functions: &[&ForeignItemFn]) -> Result<String> {
    let mut module: ItemForeignMod = parse_quote!(
        extern "C" {}
    );
    for function in functions {
        let mut function = (*function).clone();
        doc::split(&mut function.attrs);
        if function.attrs.iter().any(|attribute| !attribute.path().is_ident("doc")) {
            bail!("{} has an attribute that the table cannot hold", function.sig.ident);
        }
        module.items.push(ForeignItem::Fn(function));
    }
    let text = prettyplease::unparse(&syn::File { shebang: None, attrs: vec![], items: vec![module.into()] });
    let inside = text.trim_end().strip_prefix("extern \"C\" {\n").and_then(|text| text.strip_suffix('}'));
    inside
        .map(|text| text.replace("core::ffi::", ""))
        .context("prettyplease writes extern blocks otherwise now")
}
