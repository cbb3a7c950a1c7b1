//! Circles among the files of a crate.

use super::source::FileId;
use std::collections::{BTreeSet, VecDeque};

/// Returns circles without a common arrow, the shortest first, until none is left. `graph` has the files that each
/// file uses.
pub(crate) fn find(mut graph: Vec<BTreeSet<FileId>>) -> Vec<Vec<FileId>> {
    let mut circles = Vec::new();
    loop {
        // Nothing that is not reached from itself matters.
        let shortest = (0..graph.len()).filter_map(|start| back(&graph, start)).min_by_key(Vec::len);
        let Some(circle) = shortest else { return circles };
        for (position, &file) in circle.iter().enumerate() {
            graph[file].remove(&circle[(position + 1) % circle.len()]);
        }
        circles.push(circle);
    }
}

/// Returns the shortest way from a file back to itself; the last file of it uses the first.
fn back(graph: &[BTreeSet<FileId>], start: FileId) -> Option<Vec<FileId>> {
    let mut before = vec![None; graph.len()];
    let mut next = VecDeque::from([start]);
    while let Some(file) = next.pop_front() {
        for &to in &graph[file] {
            if to == start {
                let mut way: Vec<FileId> = std::iter::successors(Some(file), |&file| before[file]).collect();
                way.reverse();
                return Some(way);
            }
            if before[to].is_none() {
                before[to] = Some(file);
                next.push_back(to);
            }
        }
    }
    None
}
