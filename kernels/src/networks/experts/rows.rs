//! Rows of outputs, each computed from rows of tables that lists of numbers find.

use std::cell::RefCell;

use bytemuck::Pod;

use crate::engine::share;
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::bound;
use crate::{Block, Bound, Lane, Result, Sizes, Whole};

/// The closure of [`Rows`]. A `dyn Fn` would have two more functions for each, for the other ways to call it.
pub trait RowFunction: Send + Sync {
    /// Computes row `number` of each output from rows of the tables and from whole lists; returns whether there is such a row.
    /// Outputs hold arbitrary bytes before.
    fn row(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool>;
}

impl<F> RowFunction for F
where
    F: Fn(usize, &Tables<'_>, &[&[u8]], &mut [&mut [u8]]) -> Result<bool> + Send + Sync,
{
    fn row(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        self(number, tables, lists, outputs)
    }
}

/// A function of rows, which are shared among threads. Its inputs are tables, then lists.
pub struct Rows {
    step: &'static str,
    /// The form of a row of each table.
    tables: Vec<Lane>,
    /// The form of each list as a whole.
    lists: Vec<Lane>,
    /// The form of a row of each output.
    outputs: Vec<Lane>,
    count: usize,
    // One type for all functions, so that what calls them is compiled once.
    function: Box<dyn RowFunction>,
}

impl Rows {
    /// Makes a body that computes `count` rows; `step` says in a word or two what it does.
    pub fn new(
        step: &'static str,
        [tables, lists, outputs]: [Vec<Lane>; 3],
        count: usize,
        function: Box<dyn RowFunction>,
    ) -> Self {
        Self { step, tables, lists, outputs, count, function }
    }

    fn part(
        &self,
        range: std::ops::Range<usize>,
        tables: &[Bound<'_>],
        lists: &[&[u8]],
        outputs: &[Bound<'_>],
    ) -> Result {
        let rooms = tables.iter().zip(&self.tables);
        let tables =
            Tables { tables: rooms.map(|(bound, lane)| (*bound, lane, RefCell::new(Room::new()))).collect() };
        let mut rooms: Vec<[Vec<Line>; 2]> = outputs.iter().map(|_| [Vec::new(), Vec::new()]).collect();
        let mut between = Block::new();
        for number in range {
            let mut seen = Vec::with_capacity(outputs.len());
            let mut stored = Vec::with_capacity(outputs.len());
            for ([own, converted], lane) in rooms.iter_mut().zip(&self.outputs) {
                seen.push(allocation::bytes_of(own, lane.len * lane.size)?);
                stored.push(converted);
            }
            if !self.function.row(number, &tables, lists, &mut seen)? {
                continue;
            }
            for (((output, lane), seen), stored) in outputs.iter().zip(&self.outputs).zip(&seen).zip(stored) {
                let elements = number * lane.len..(number + 1) * lane.len;
                if lane.conversions.is_empty() {
                    output.scatter(elements, seen);
                    continue;
                }
                let to = allocation::bytes_of(stored, lane.len * output.size())?;
                lane.conversions.apply_all(lane.len, seen, to, &mut between);
                output.scatter(elements, to);
            }
        }
        Ok(())
    }
}

/// The tables of one thread.
pub struct Tables<'a> {
    tables: Vec<(Bound<'a>, &'a Lane, RefCell<Room>)>,
}

/// The buffers of a table: a row as it is stored and as a function sees it.
struct Room([Vec<Line>; 2], Block);

impl Room {
    fn new() -> Self {
        Self([Vec::new(), Vec::new()], Block::new())
    }
}

impl Tables<'_> {
    /// Returns whether there is such a table.
    pub fn has(&self, table: usize) -> bool {
        table < self.tables.len()
    }

    /// Hands a row to `visit`; nothing happens, and it returns false, if the table has no such row.
    pub fn visit<T: Pod>(&self, table: usize, row: i64, visit: &mut dyn FnMut(&[T])) -> Result<bool> {
        let Some((bound, lane, room)) = self.tables.get(table) else { return Ok(false) };
        let rows = bound.numel().checked_div(lane.len).unwrap_or(0);
        let Some(row) = usize::try_from(row).ok().filter(|row| *row < rows) else { return Ok(false) };
        let elements = row * lane.len..(row + 1) * lane.len;
        let Ok(mut room) = room.try_borrow_mut() else { return Ok(false) };
        let Room([stored, seen], between) = &mut *room;
        let from: &[u8] = match bound.contiguous(elements.clone()) {
            Some(bytes) => bytes,
            None => {
                let bytes = allocation::bytes_of(stored, lane.len * bound.size())?;
                bound.gather(elements, bytes);
                bytes
            }
        };
        if lane.conversions.is_empty() {
            visit(bytemuck::cast_slice(from));
        } else {
            let to = allocation::bytes_of(seen, lane.len * lane.size)?;
            lane.conversions.apply_all(lane.len, from, to, between);
            visit(bytemuck::cast_slice(to));
        }
        Ok(true)
    }
}

impl Whole for Rows {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let copies = bound::copies(inputs, &|input| outputs.iter().any(|output| input.overlaps(output)))?;
        let inputs = bound::with_copies(inputs, &copies);
        let (tables, lists) = inputs.split_at(self.tables.len().min(inputs.len()));
        let mut rooms: Vec<[Vec<Line>; 2]> = lists.iter().map(|_| [Vec::new(), Vec::new()]).collect();
        let mut between = Block::new();
        let mut seen: Vec<&[u8]> = Vec::with_capacity(lists.len());
        for ((list, lane), [stored, converted]) in lists.iter().zip(&self.lists).zip(&mut rooms) {
            let bytes = allocation::bytes_of(stored, lane.len * list.size())?;
            list.gather(0..lane.len, bytes);
            if lane.conversions.is_empty() {
                seen.push(bytes);
                continue;
            }
            let to = allocation::bytes_of(converted, lane.len * lane.size)?;
            lane.conversions.apply_all(lane.len, bytes, to, &mut between);
            seen.push(to);
        }
        let part = |range| self.part(range, tables, &seen, outputs);
        if !outputs.iter().all(Bound::lies_apart) {
            return part(0..self.count);
        }
        let bytes = |(bound, lane): (&Bound<'_>, &Lane)| lane.len * (bound.size() + lane.size);
        let of_a_row = outputs.iter().zip(&self.outputs).map(bytes).sum::<usize>()
            + tables.iter().zip(&self.tables).map(bytes).sum::<usize>();
        let together = ((64 << 10) / of_a_row.max(1)).clamp(1, self.count.max(1));
        share::try_each(self.count, together, of_a_row.saturating_mul(self.count), &part)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![self.step]
    }
}
