//! Names, followed through re-exports to the files that define them.

use super::{
    mention::Space,
    paths::Paths,
    source::{FileId, ModuleId, ROOT, Source},
    tokens,
};
use std::collections::{BTreeMap, BTreeSet};
use syn::{ForeignItem, Item, ext::IdentExt};

/// What a path leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    Module(ModuleId),
    /// An item of the name, which the file defines.
    Item(FileId, String),
}

/// The names of all modules of a crate.
pub(crate) struct Names<'a> {
    source: &'a Source,
    tables: Vec<Table>,
}

/// The names of a module.
#[derive(Default)]
struct Table {
    bound: BTreeMap<String, Vec<Binding>>,
    globs: Vec<Vec<String>>,
    /// The words that macros in the place of items are given: names of what they define are mostly among them.
    /// `None` where there is no such macro.
    of_macros: Option<BTreeSet<String>>,
}

enum Binding {
    Item(FileId, &'static [Space]),
    Module(ModuleId),
    /// A path, and whether other modules find the name here.
    Import(Vec<String>, bool),
}

/// Names that are being looked up, which leads to nothing in a circle.
type Trail = Vec<(ModuleId, String, Space)>;

impl<'a> Names<'a> {
    /// Reads the names of all modules; `paths` are those of each module.
    pub(crate) fn new(source: &'a Source, paths: &[Paths]) -> Names<'a> {
        let mut names = Names { source, tables: source.modules.iter().map(|_| Table::default()).collect() };
        for (id, module) in source.modules.iter().enumerate() {
            for &child in &module.children {
                names.bind(id, &source.modules[child].name, Binding::Module(child));
            }
            for item in &module.items {
                names.item(id, item);
            }
            for import in &paths[id].imports {
                match &import.name {
                    Some(name) if name == "_" => {}
                    Some(name) => names.bind(id, name, Binding::Import(import.path.clone(), import.exported)),
                    None => names.tables[id].globs.push(import.path.clone()),
                }
            }
        }
        names
    }

    fn bind(&mut self, module: ModuleId, name: &str, binding: Binding) {
        self.tables[module].bound.entry(name.to_owned()).or_default().push(binding);
    }

    fn item(&mut self, id: ModuleId, item: &Item) {
        let source = self.source;
        let module = &source.modules[id];
        let (ident, spaces): (_, &[Space]) = match item {
            Item::Const(item) => (&item.ident, &[Space::Value]),
            Item::Static(item) => (&item.ident, &[Space::Value]),
            Item::Fn(item) => (&item.sig.ident, &[Space::Value]),
            Item::Struct(item) => (&item.ident, &[Space::Type, Space::Value]),
            Item::Enum(item) => (&item.ident, &[Space::Type]),
            Item::Trait(item) => (&item.ident, &[Space::Type]),
            Item::TraitAlias(item) => (&item.ident, &[Space::Type]),
            Item::Type(item) => (&item.ident, &[Space::Type]),
            Item::Union(item) => (&item.ident, &[Space::Type]),
            Item::ForeignMod(item) => {
                for item in &item.items {
                    let ident = match item {
                        ForeignItem::Fn(item) => &item.sig.ident,
                        ForeignItem::Static(item) => &item.ident,
                        ForeignItem::Type(item) => &item.ident,
                        _ => continue,
                    };
                    let spaces = &[Space::Type, Space::Value];
                    self.bind(id, &ident.unraw().to_string(), Binding::Item(module.file, spaces));
                }
                return;
            }
            Item::Macro(item) => match &item.ident {
                Some(ident) => {
                    let name = ident.unraw().to_string();
                    if item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")) {
                        self.bind(ROOT, &name, Binding::Item(module.file, &[Space::Macro]));
                    }
                    if let (true, Some(parent)) = (module.macro_use, module.parent) {
                        self.bind(parent, &name, Binding::Item(module.file, &[Space::Macro]));
                    }
                    (ident, &[Space::Macro])
                }
                None => {
                    let words = tokens::words(item.mac.tokens.clone());
                    self.tables[id].of_macros.get_or_insert_default().extend(words);
                    return;
                }
            },
            _ => return,
        };
        self.bind(id, &ident.unraw().to_string(), Binding::Item(module.file, spaces));
    }

    /// Returns what a path in the module `from` leads to; nothing for other crates and what is not known.
    pub(crate) fn resolve(
        &self,
        from: ModuleId,
        path: &[String],
        inside: usize,
        space: Space,
    ) -> BTreeSet<Target> {
        self.walk(from, path, inside, space, &mut Trail::new())
    }

    /// Returns what a name leads to that the module brings by a `use` of everything in `glob`.
    pub(crate) fn through(&self, module: ModuleId, glob: ModuleId, name: &str) -> BTreeSet<Target> {
        if self.tables[module].bound.contains_key(name) {
            return BTreeSet::new();
        }
        self.lookup(glob, name, Space::Any, &mut Trail::new())
    }

    fn walk(
        &self,
        from: ModuleId,
        path: &[String],
        mut inside: usize,
        space: Space,
        trail: &mut Trail,
    ) -> BTreeSet<Target> {
        let mut module = from;
        let mut rest = path;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" => (module, inside) = (ROOT, 0),
                "self" => {}
                "super" if inside > 0 => inside -= 1,
                "super" => match self.source.modules[module].parent {
                    Some(parent) => module = parent,
                    None => return BTreeSet::new(),
                },
                _ => break,
            }
            rest = after;
        }
        let is_anchored = rest.len() < path.len();
        if is_anchored && inside > 0 {
            return BTreeSet::new();
        }
        let mut found = BTreeSet::from([Target::Module(module)]);
        for (position, name) in rest.iter().enumerate() {
            let wanted = if position + 1 == rest.len() { space } else { Space::Type };
            let mut next = BTreeSet::new();
            for target in found {
                let Target::Module(module) = target else {
                    next.insert(target);
                    continue;
                };
                let named = self.lookup(module, name, wanted, trail);
                if named.is_empty() && (is_anchored || position > 0) {
                    next.extend(self.missing(module, name, trail));
                }
                next.extend(named);
            }
            found = next;
        }
        found
    }

    /// Returns what a name in a module stands for.
    fn lookup(&self, module: ModuleId, name: &str, space: Space, trail: &mut Trail) -> BTreeSet<Target> {
        let step = (module, name.to_owned(), space);
        if trail.contains(&step) {
            return BTreeSet::new();
        }
        trail.push(step);
        let table = &self.tables[module];
        let mut found = BTreeSet::new();
        for binding in table.bound.get(name).into_iter().flatten() {
            match binding {
                Binding::Item(file, spaces) if space == Space::Any || spaces.contains(&space) => {
                    found.insert(Target::Item(*file, name.to_owned()));
                }
                Binding::Module(child) if matches!(space, Space::Any | Space::Type) => {
                    found.insert(Target::Module(*child));
                }
                Binding::Import(path, exported) => {
                    found.extend(self.walk(module, path, 0, space, trail));
                    if *exported && self.is_foreign(module, path, trail) {
                        found.extend(self.own(module, name));
                    }
                }
                _ => {}
            }
        }
        if found.is_empty() {
            for glob in self.globs(module, trail) {
                found.extend(self.lookup(glob, name, space, trail));
            }
        }
        if found.is_empty() && space == Space::Macro {
            // Modules know the macros that were written above them.
            let above = self.source.ancestors(module).skip(1);
            let bound = above.filter_map(|id| self.tables[id].bound.get(name)).flatten();
            found.extend(bound.filter_map(|binding| match binding {
                Binding::Item(file, [Space::Macro]) => Some(Target::Item(*file, name.to_owned())),
                _ => None,
            }));
        }
        trail.pop();
        found
    }

    /// Returns whether a path leads to another crate: whether its first name stands for nothing here, or for what comes
    /// from another crate.
    fn is_foreign(&self, module: ModuleId, path: &[String], trail: &mut Trail) -> bool {
        let Some(first) = path.first().filter(|first| !["crate", "self", "super"].contains(&first.as_str()))
        else {
            return false;
        };
        let mut bound = self.tables[module].bound.get(first).into_iter().flatten();
        let is_ours = bound.any(|binding| match binding {
            Binding::Item(..) | Binding::Module(_) => true,
            Binding::Import(path, _) => path.first() != Some(first) && !self.is_foreign(module, path, trail),
        });
        let globs = if is_ours { Vec::new() } else { self.globs(module, trail) };
        !is_ours && !globs.iter().any(|&glob| self.tables[glob].bound.contains_key(first))
    }

    /// Returns a name from another crate as an item of the module that lets it out; names in the root stay those of
    /// the other crate.
    fn own(&self, module: ModuleId, name: &str) -> Option<Target> {
        let file = self.source.modules[module].file;
        (file != self.source.modules[ROOT].file).then(|| Target::Item(file, name.to_owned()))
    }

    /// Returns the modules from which a module takes all names.
    fn globs(&self, module: ModuleId, trail: &mut Trail) -> Vec<ModuleId> {
        let globs = self.tables[module].globs.iter();
        let targets = globs.flat_map(|path| self.walk(module, path, 0, Space::Type, trail));
        targets
            .filter_map(|target| match target {
                Target::Module(id) => Some(id),
                Target::Item(..) => None,
            })
            .collect()
    }

    /// Returns the file that most likely defines a name which a module has but does not show: that of a macro. Returns
    /// nothing for what comes from another crate.
    fn missing(&self, module: ModuleId, name: &str, trail: &mut Trail) -> Option<Target> {
        let mut near = vec![module];
        let mut position = 0;
        while let Some(&id) = near.get(position) {
            let more = self.globs(id, trail).into_iter();
            let more: Vec<ModuleId> = more.filter(|id| !near.contains(id)).collect();
            near.extend(more);
            position += 1;
        }
        if near.iter().any(|&id| self.tables[id].bound.contains_key(name)) {
            return None;
        }
        let words = |id: &ModuleId| self.tables[*id].of_macros.as_ref();
        let told = near.iter().copied().find(|id| words(id).is_some_and(|words| words.contains(name)));
        let made = told.or_else(|| near.iter().copied().find(|id| words(id).is_some()));
        let mut globs = self.tables[module].globs.iter();
        if made.is_none() && globs.any(|path| self.is_foreign(module, path, trail)) {
            return self.own(module, name);
        }
        Some(Target::Item(self.source.modules[made.unwrap_or(module)].file, name.to_owned()))
    }
}
