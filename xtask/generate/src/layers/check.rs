//! The rule: a room uses what lies on lower floors, and files form no circle.

use super::{
    arrows::{self, Arrow},
    circles,
    crates::Crate,
    floors::Plan,
    source::{FileId, ModuleId, ROOT, Source},
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns what in a crate breaks the rule, as sentences in the order of files and lines.
pub(crate) fn problems(about: &Crate, source: &Source, plans: &[Plan], arrows: &[Arrow]) -> Vec<String> {
    if about.is_published && plans.iter().all(|plan| plan.module != ROOT) {
        let path = &source.files[0].path;
        return vec![format!("{path}: the crate `{}` has no list of floors above its modules", about.name)];
    }
    let mut found: BTreeSet<(&str, usize, String)> = BTreeSet::new();
    let mut upward: BTreeSet<(FileId, FileId)> = BTreeSet::new();
    for plan in plans {
        let numbers = Numbers::new(source, plan);
        let path = source.files[source.modules[plan.module].file].path.as_str();
        found.extend(numbers.complaints().into_iter().map(|(line, text)| (path, line, text)));
        for arrow in arrows {
            if let Some(text) = numbers.judge(arrow) {
                found.insert((&source.files[arrow.from].path, arrow.line, text));
                upward.insert((arrow.from, arrow.to));
            }
        }
    }
    let mut problems: Vec<String> =
        found.into_iter().map(|(path, line, text)| format!("{path}:{line}: {text}")).collect();
    // What runs up is reported already, and would be a part of many circles.
    let level = arrows.iter().filter(|arrow| !upward.contains(&(arrow.from, arrow.to)));
    let graph = arrows::graph(source.files.len(), level);
    problems.extend(circles::find(graph).iter().map(|circle| circle_text(about, source, circle, arrows)));
    problems
}

/// Returns the child of `base` in which a file lies.
pub(crate) fn room(source: &Source, base: ModuleId, file: FileId) -> Option<ModuleId> {
    source.ancestors(source.files[file].module).find(|&id| source.modules[id].parent == Some(base))
}

/// The numbers of the floors on which rooms stand.
struct Numbers<'a> {
    source: &'a Source,
    plan: &'a Plan,
    floors: BTreeMap<&'a str, usize>,
}

impl<'a> Numbers<'a> {
    fn new(source: &'a Source, plan: &'a Plan) -> Self {
        let floors = plan.floors.iter().enumerate();
        let floors =
            floors.flat_map(|(floor, of)| of.rooms.iter().map(move |room| (room.as_str(), floor + 1)));
        Self { source, plan, floors: floors.collect() }
    }

    /// Returns what is wrong with the list itself, with lines.
    fn complaints(&self) -> Vec<(usize, String)> {
        let module = &self.source.modules[self.plan.module];
        let rooms = module.children.iter().map(|&id| &self.source.modules[id]);
        let rooms = rooms.filter(|room| room.file != module.file);
        let rooms: BTreeMap<&str, usize> = rooms.map(|room| (room.name.as_str(), room.line)).collect();
        let mut found = Vec::new();
        let mut listed = BTreeMap::new();
        for (position, floor) in self.plan.floors.iter().enumerate() {
            let number = position + 1;
            for room in &floor.rooms {
                if !rooms.contains_key(room.as_str()) {
                    found.push((
                        floor.line,
                        format!("floor {number} names `{room}`, which is no module here"),
                    ));
                }
                if let Some(before) = listed.insert(room.as_str(), number) {
                    found.push((
                        floor.line,
                        format!("`{room}` stands on floor {before} and on floor {number}"),
                    ));
                }
            }
        }
        let missing = rooms.iter().filter(|(room, _)| !listed.contains_key(*room));
        found.extend(missing.map(|(room, &line)| (line, format!("the module `{room}` stands on no floor"))));
        found
    }

    /// Returns what is wrong with an arrow.
    fn judge(&self, arrow: &Arrow) -> Option<String> {
        let Self { source, plan, .. } = self;
        let from = room(source, plan.module, arrow.from)?;
        let from_floor = self.floor(from)?;
        let room_name = |id| self.source.path(id).join("::");
        let (user, path, defined) = (room_name(from), &arrow.path, &source.files[arrow.to].path);
        let Some(to) = room(source, plan.module, arrow.to) else {
            let is_roof = arrow.to == source.modules[ROOT].file && plan.module == ROOT;
            return is_roof.then(|| {
                format!(
                    "`{user}` on floor {from_floor} uses `{path}` of {defined}, which is the roof; move it into a \
                     room below"
                )
            });
        };
        let to_floor = self.floor(to)?;
        if from == to || to_floor < from_floor {
            return None;
        }
        let used = room_name(to);
        Some(if to_floor == from_floor {
            format!("`{user}` uses `{path}` of `{used}` ({defined}), but both stand on floor {to_floor}")
        } else {
            format!(
                "`{user}` on floor {from_floor} uses `{path}` of `{used}` ({defined}) on floor {to_floor}, which is \
                 above it"
            )
        })
    }

    fn floor(&self, room: ModuleId) -> Option<usize> {
        self.floors.get(self.source.modules[room].name.as_str()).copied()
    }
}

fn circle_text(about: &Crate, source: &Source, circle: &[FileId], arrows: &[Arrow]) -> String {
    let mut text = format!("{} files of `{}` use each other in a circle:", circle.len(), about.name);
    for (position, &from) in circle.iter().enumerate() {
        let to = circle[(position + 1) % circle.len()];
        let all = arrows.iter().filter(|arrow| (arrow.from, arrow.to) == (from, to));
        if let Some(arrow) = all.min_by_key(|arrow| arrow.line) {
            let (from, to) = (&source.files[from].path, &source.files[to].path);
            text += &format!("\n    {from}:{}: `{}` of {to}", arrow.line, arrow.path);
        }
    }
    text
}
