//! The files and the modules of a crate, as the compiler finds them from its root.

use super::{cfg, tokens};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta, ext::IdentExt, spanned::Spanned};

/// The position of a file in [`Source::files`].
pub(crate) type FileId = usize;

/// The position of a module in [`Source::modules`].
pub(crate) type ModuleId = usize;

/// The module of the root.
pub(crate) const ROOT: ModuleId = 0;

/// The files and modules of a crate, tests left out.
#[derive(Default)]
pub(crate) struct Source {
    pub(crate) files: Vec<File>,
    pub(crate) modules: Vec<Module>,
}

/// A source file.
pub(crate) struct File {
    /// The path from the root of the workspace on.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The module that the file holds; modules between braces may lie in it.
    pub(crate) module: ModuleId,
}

/// A module, in a file of its own or between braces.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) file: FileId,
    pub(crate) parent: Option<ModuleId>,
    pub(crate) children: Vec<ModuleId>,
    /// The line of the file of `parent` that declares the module.
    pub(crate) line: usize,
    /// Whether the modules after it know its macros.
    pub(crate) macro_use: bool,
    /// Everything in it but modules.
    pub(crate) items: Vec<Item>,
}

impl Source {
    /// Reads the crate whose root is the file `entry` of the directory `root`.
    pub(crate) fn read(root: &Path, entry: &str) -> Result<Source> {
        let mut reader = Reader { root, source: Source::default() };
        reader.file(&root.join(entry), Declared::default(), true)?;
        Ok(reader.source)
    }

    /// Returns the path of a module from the root of the crate on.
    pub(crate) fn path(&self, module: ModuleId) -> Vec<&str> {
        let mut path: Vec<&str> = self.ancestors(module).map(|id| self.modules[id].name.as_str()).collect();
        path.pop();
        path.reverse();
        path
    }

    /// Returns the module itself and all that it lies in, from the inside out.
    pub(crate) fn ancestors(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> + '_ {
        std::iter::successors(Some(module), |&id| self.modules[id].parent)
    }

    /// Returns whether `inner` is another file than `outer` and belongs to a module below that of `outer`.
    pub(crate) fn is_below(&self, inner: FileId, outer: FileId) -> bool {
        let outer_module = self.files[outer].module;
        inner != outer && self.ancestors(self.files[inner].module).any(|id| id == outer_module)
    }
}

/// What is known about a module before its file is read.
#[derive(Default)]
struct Declared {
    name: String,
    parent: Option<ModuleId>,
    line: usize,
    macro_use: bool,
}

struct Reader<'a> {
    root: &'a Path,
    source: Source,
}

impl Reader<'_> {
    /// Reads a module with a file of its own; the files of its children lie beside that of one which `is_folder`.
    fn file(&mut self, path: &Path, declared: Declared, is_folder: bool) -> Result<ModuleId> {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut parsed = syn::parse_file(&text).with_context(|| format!("parsing {}", path.display()))?;
        cfg::strip(&mut parsed);
        let shown = path.strip_prefix(self.root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let file = self.source.files.len();
        self.source.files.push(File { path: shown, text, module: self.source.modules.len() });
        let beside = path.parent().unwrap_or(path).to_owned();
        let folder = if is_folder { beside.clone() } else { path.with_extension("") };
        self.module(file, declared, parsed.items, &folder, &beside)
    }

    /// Adds a module with its children. Their files lie in `folder`, or by an attribute in a path from `beside` on.
    fn module(
        &mut self,
        file: FileId,
        declared: Declared,
        items: Vec<Item>,
        folder: &Path,
        beside: &Path,
    ) -> Result<ModuleId> {
        let Declared { name, parent, line, macro_use } = declared;
        let id = self.source.modules.len();
        let (modules, items): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| matches!(item, Item::Mod(_)));
        let of_macros = words_of_macros(&items);
        self.source.modules.push(Module { name, file, parent, children: Vec::new(), line, macro_use, items });
        let mut names = BTreeSet::new();
        for item in modules {
            let Item::Mod(item) = item else { continue };
            names.insert(item.ident.unraw().to_string());
            let child = self.child(id, item, folder, beside)?;
            self.source.modules[id].children.push(child);
        }
        // A macro may write the `mod` lines, from names that it is given.
        for (name, line) in of_macros {
            if let Ok((path, is_folder)) = found(folder, &name)
                && names.insert(name.clone())
            {
                let declared = Declared { name, parent: Some(id), line, macro_use: false };
                let child = self.file(&path, declared, is_folder)?;
                self.source.modules[id].children.push(child);
            }
        }
        Ok(id)
    }

    fn child(&mut self, parent: ModuleId, item: ItemMod, folder: &Path, beside: &Path) -> Result<ModuleId> {
        let file = self.source.modules[parent].file;
        let name = item.ident.unraw().to_string();
        let declared = Declared {
            name: name.clone(),
            parent: Some(parent),
            line: item.ident.span().start().line,
            macro_use: item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_use")),
        };
        let path = path_attribute(&item);
        if let Some((_, items)) = item.content {
            let folder = folder.join(path.as_deref().unwrap_or(&name));
            return self.module(file, declared, items, &folder, &folder);
        }
        let (path, is_folder) = match path {
            Some(path) => (beside.join(path), true),
            None => found(folder, &name)
                .with_context(|| format!("{}:{}", self.source.files[file].path, declared.line))?,
        };
        self.file(&path, declared, is_folder)
    }
}

/// Returns the file of a module, and whether it is the one that stands for its folder.
fn found(folder: &Path, name: &str) -> Result<(PathBuf, bool)> {
    let (file, in_folder) = (folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs"));
    match (file.is_file(), in_folder.is_file()) {
        (true, _) => Ok((file, false)),
        (_, true) => Ok((in_folder, true)),
        _ => bail!("the module `{name}` has neither {} nor {}", file.display(), in_folder.display()),
    }
}

fn path_attribute(item: &ItemMod) -> Option<String> {
    item.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("path") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

/// Returns the words that macros in the place of items are given, with the line of the macro.
fn words_of_macros(items: &[Item]) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    for item in items {
        if let Item::Macro(item) = item
            && item.ident.is_none()
        {
            let line = item.mac.path.span().start().line;
            all.extend(tokens::words(item.mac.tokens.clone()).into_iter().map(|word| (word, line)));
        }
    }
    all
}
