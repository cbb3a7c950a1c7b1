//! Types and constants.

use super::doc;
use syn::{Fields, Item, ItemStruct, parse_quote, visit_mut::VisitMut};

/// What bindgen writes for the bytes of a structure whose members are not told.
const BLOB: &str = "__BindgenOpaqueArray8";

/// Writes everything but the functions.
pub(super) fn text(file: &syn::File) -> String {
    let mut items: Vec<Item> = file
        .items
        .iter()
        .filter(|item| !matches!(item, Item::ForeignMod(_) | Item::Impl(_)))
        .cloned()
        .collect();
    items.retain(|item| !matches!(item, Item::Struct(structure) if structure.ident == BLOB));
    for item in &mut items {
        if let Item::Struct(structure) = item
            && is_opaque(structure)
        {
            *item = opaque(structure);
        }
        Documentation.visit_item_mut(item);
    }
    prettyplease::unparse(&syn::File { shebang: None, attrs: vec![], items })
}

struct Documentation;

impl VisitMut for Documentation {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        doc::split(attributes);
    }
}

fn is_opaque(structure: &ItemStruct) -> bool {
    matches!(&structure.fields, Fields::Named(fields)
    if fields.named.iter().any(|field| {
        field.ident.as_ref().is_some_and(|name| name == "_unused" || name == "_bindgen_opaque_blob")
    }))
}

/// Writes a type that only C makes: Rust code cannot build, copy or move it, or send it to another thread by accident.
fn opaque(structure: &ItemStruct) -> Item {
    let name = &structure.ident;
    let doc = structure.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    parse_quote! {
        #(#doc)*
        #[repr(C)]
        pub struct #name {
            _data: [u8; 0],
            _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    }
}
