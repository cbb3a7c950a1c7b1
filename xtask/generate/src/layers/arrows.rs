//! The arrows between the files of a crate: which file uses what another one defines.

use super::{
    mention::{Import, Space},
    paths::Paths,
    resolve::{Names, Target},
    source::{FileId, ModuleId, Source},
};
use std::collections::{BTreeMap, BTreeSet};

/// The use of an item by another file than the one that defines it.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub(crate) from: FileId,
    pub(crate) to: FileId,
    /// The first line of `from` that uses the item.
    pub(crate) line: usize,
    /// The path as it is written there.
    pub(crate) path: String,
}

/// Returns one arrow for each item that a file uses of another.
pub(crate) fn find(source: &Source) -> Vec<Arrow> {
    let paths: Vec<Paths> = source.modules.iter().map(|module| Paths::of(&module.items)).collect();
    let names = Names::new(source, &paths);
    let mut arrows = Arrows { source, found: BTreeMap::new() };
    for (id, paths) in paths.iter().enumerate() {
        arrows.imports(&names, id, paths);
        for mention in &paths.mentions {
            for target in names.resolve(id, &mention.path, mention.inside, mention.space) {
                arrows.add(id, target, mention.line, &mention.path);
            }
        }
    }
    arrows.found.into_values().collect()
}

struct Arrows<'a> {
    source: &'a Source,
    /// By both files and the name of the item.
    found: BTreeMap<(FileId, FileId, String), Arrow>,
}

impl Arrows<'_> {
    fn imports(&mut self, names: &Names<'_>, id: ModuleId, paths: &Paths) {
        for import in &paths.imports {
            for target in names.resolve(id, &import.path, 0, Space::Any) {
                if import.exported {
                    self.export(id, target, import);
                    continue;
                }
                match (&target, &import.name) {
                    // The paths that go through a module say what is used of it.
                    (Target::Module(_), Some(name)) if is_used(paths, name) => {}
                    (Target::Module(glob), None) if self.glob(names, id, *glob, paths) => {}
                    _ => self.add(id, target, import.line, &import.path),
                }
            }
        }
    }

    /// Adds the arrow of a re-export, unless the file only lists what its own modules define.
    fn export(&mut self, id: ModuleId, target: Target, import: &Import) {
        let file = match target {
            Target::Module(module) => self.source.modules[module].file,
            Target::Item(file, _) => file,
        };
        if !self.source.is_below(file, self.source.modules[id].file) {
            self.add(id, target, import.line, &import.path);
        }
    }

    /// Adds arrows to what is used through a `use` of everything in `glob`; returns whether anything is.
    fn glob(&mut self, names: &Names<'_>, id: ModuleId, glob: ModuleId, paths: &Paths) -> bool {
        let mut is_used = false;
        for mention in &paths.mentions {
            let Some(name) = mention.path.first() else { continue };
            is_used |= !names.through(id, glob, name).is_empty();
        }
        is_used
    }

    fn add(&mut self, id: ModuleId, target: Target, line: usize, path: &[String]) {
        let from = self.source.modules[id].file;
        let (to, name) = match target {
            Target::Module(module) => (self.source.modules[module].file, String::new()),
            Target::Item(file, name) => (file, name),
        };
        if to == from {
            return;
        }
        let arrow = Arrow { from, to, line, path: path.join("::") };
        let first = self.found.entry((from, to, name)).or_insert_with(|| arrow.clone());
        if line < first.line {
            *first = arrow;
        }
    }
}

/// Returns whether a path starts with the name of a module.
fn is_used(paths: &Paths, module: &str) -> bool {
    let through = |path: &[String]| path.len() > 1 && path.first().is_some_and(|first| first == module);
    paths.mentions.iter().any(|mention| through(&mention.path))
        || paths
            .imports
            .iter()
            .any(|import| through(&import.path) || (import.name.is_none() && import.path == [module]))
}

/// Returns the arrows as sets, by the file that uses another.
pub(crate) fn graph<'a>(files: usize, arrows: impl IntoIterator<Item = &'a Arrow>) -> Vec<BTreeSet<FileId>> {
    let mut graph = vec![BTreeSet::new(); files];
    for arrow in arrows {
        graph[arrow.from].insert(arrow.to);
    }
    graph
}
