//! Tokens in the order of their experts, in the forms from the second version on: checks, places and quantised rows.

use aclnn_numerics::DType::{F32, I32, I64};
use aclnn_numerics::product::Product;
use cann_kernels::networks::experts::combine::{self, Steps, float, int};
use cann_kernels::networks::experts::routing::{Counted, Routing};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand};
use crate::operators::check;
use crate::operators::stage_planner::{StagePlanner, Used, again, sizes, within};
use crate::settings;
use crate::status::Result;

/// As many tokens as an array may number.
pub(super) const MANY: i64 = i64::MAX;

/// The operands of routings of the second version and later ones.
pub(super) struct Expanded<'c> {
    pub(super) x: Operand<'c>,
    pub(super) ids: Operand<'c>,
    pub(super) out: Operand<'c>,
    pub(super) places: Operand<'c>,
    pub(super) counts: Option<Operand<'c>>,
    pub(super) befores: Option<Operand<'c>>,
    /// Tokens, choices of each, elements of each.
    pub(super) sizes: [usize; 3],
    /// Rows of the output.
    pub(super) rows: usize,
    pub(super) routing: Routing,
}

/// The names of the numbers of a routing.
pub(super) struct Names {
    active: &'static str,
    capacity: &'static str,
    experts: &'static str,
    mode: &'static str,
}

pub(super) const OLD: Names = Names {
    active: "activeNumOptional",
    capacity: "expertCapacityOptional",
    experts: "expertNumOptional",
    mode: "dropPadModeOptional",
};
pub(super) const NEW: Names =
    Names { active: "activeNum", capacity: "expertCapacity", experts: "expertNum", mode: "dropPadMode" };

impl<'c> Expanded<'c> {
    /// The operands; their types are still to be checked.
    pub(super) fn of(call: &'c Call<'_>) -> Result<Self> {
        let (x, ids) = (call.tensor("x")?, call.tensor("expertIdx")?);
        let (out, places) = (call.tensor("expandedXOut")?, call.tensor("expandedRowIdxOut")?);
        let optional = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
        let counts = optional("expertTokensCountOrCumsumOutOptional")?;
        let befores = optional("expertTokensBeforeCapacityOutOptional")?;
        let routing = Routing::default();
        Ok(Self { x, ids, out, places, counts, befores, sizes: [0; 3], rows: 0, routing })
    }

    /// Checks sizes of the second version.
    pub(super) fn check(&mut self, call: &Call<'_>, names: &Names, flags: [&str; 2]) -> Result {
        let [rows, len] = sizes::<2>(&self.x)?;
        let is_950 = settings::get().product == Product::Ascend950;
        let [tokens, k] = match self.ids.rank() {
            1 if is_950 && flags[0].ends_with("Optional") => [sizes::<1>(&self.ids)?[0], 1],
            _ => sizes::<2>(&self.ids)?,
        };
        if tokens != rows {
            return invalid(format_args!("x has {rows} rows, but expertIdx {tokens}"));
        }
        self.sizes = [rows, k, len];
        let capacity = within(names.capacity, call.int(names.capacity)?, 0..=MANY)?;
        let experts = within(names.experts, call.int(names.experts)?, 0..=i64::from(i32::MAX))?;
        let mode = within(names.mode, call.int(names.mode)?, 0..=1)?;
        if mode == 1 && (experts < 1 || capacity < 1 || capacity > rows) {
            return invalid(format_args!(
                "{experts} experts with a capacity of {capacity} for {rows} tokens"
            ));
        }
        let flag = within(flags[0], call.int(flags[0])?, 0..=2)?;
        if flag > 0 && experts == 0 {
            return invalid(format_args!("{} is {flag}, but there are no experts", flags[0]));
        }
        let active = call.int(names.active)?;
        let all = rows * k;
        let active = match usize::try_from(active) {
            Err(_) if is_950 && flags[0].ends_with("Optional") => all.saturating_add_signed(active as isize),
            Ok(0) => all,
            Ok(active) => active.min(all),
            Err(_) => return invalid(format_args!("{} is {active}, but must not be negative", names.active)),
        };
        self.routing.experts = experts;
        if mode == 1 {
            self.routing.capacity = Some(capacity);
            self.rows = experts * capacity;
            check::output_shape(&self.out, &[experts, capacity, len])?;
        } else {
            self.rows = active;
            check::output_shape(&self.out, &[active, len])?;
        }
        check::output_shape(&self.places, &[all])?;
        let is_counted = mode == 0 && flag > 0;
        self.routing.counted = match flag {
            1 if is_counted => Counted::Running,
            2 if is_counted => Counted::Each,
            _ => Counted::Not,
        };
        self.routing.counts_all = mode == 1 && call.flag(flags[1])?;
        let asked = [(&self.counts, is_counted), (&self.befores, self.routing.counts_all)];
        for (output, _) in asked.into_iter().filter(|(_, is_asked)| *is_asked) {
            match output {
                Some(output) => check::output_shape(output, &[experts])?,
                None => return invalid("the counts of tokens are asked for, but their output is null"),
            }
        }
        Ok(())
    }

    /// The stage that finds places, and where it leaves the source and the expert of each row.
    pub(super) fn order(&self, planner: &mut StagePlanner) -> Result<[Used; 2]> {
        let ids = planner.list(&self.ids, Some(I32))?;
        let places = planner.write_list(Some(&self.places), I32, 1)?;
        // Rows without elements are not copied.
        let rows = if self.out.is_empty() { 0 } else { self.rows };
        let (sources, owners) = (planner.kept(I32, rows)?, planner.kept(I32, rows)?);
        let read = [again(&sources, I32)?, again(&owners, I32)?];
        let counts = self.counts.as_ref().filter(|_| self.routing.counted != Counted::Not);
        let befores = self.befores.as_ref().filter(|_| self.routing.counts_all);
        let counts = planner.write_list(counts, I64, 1)?;
        let befores = planner.write_list(befores, I32, 1)?;
        let mut routing = self.routing.clone();
        if routing.capacity.is_none() && routing.counted == Counted::Not {
            // Experts without a count need no memory.
            routing.experts = 0;
        }
        planner.lanes([ids], [places, sources, owners, counts, befores], 1, routing.body());
        Ok(read)
    }

    /// Copies the rows of the tokens; one without a token is zero, or stays if `keeps`.
    pub(super) fn copy(&self, planner: &mut StagePlanner, sources: &Used, keeps: bool) -> Result {
        let [_, k, len] = self.sizes;
        planner.copy_rows(&self.x, sources, &self.out, [len, self.rows, k], keeps)
    }

    /// Quantises the rows; `scale` holds numbers for the elements, or given steps with `offset`.
    pub(super) fn quantize(
        &self,
        planner: &mut StagePlanner,
        [sources, owners]: &[Used; 2],
        steps: Steps,
        given: [Option<&Operand>; 2],
        step_of_rows: Option<&Operand>,
    ) -> Result {
        let [_, k, len] = self.sizes;
        if self.out.is_empty() {
            return Ok(());
        }
        let mut tables = vec![planner.table(&self.x, len, Some(F32))?];
        let mut lists = vec![again(sources, I32)?, again(owners, I32)?];
        let is_own = matches!(steps, Steps::Own { .. });
        let mut of_experts = false;
        match given {
            // Steps of the rows themselves need no offset.
            [Some(scale), _] if is_own => {
                tables.push(planner.table(scale, len, Some(F32))?);
                of_experts = scale.shape()?.first() != Some(&1);
            }
            _ if is_own => {}
            _ => {
                for operand in given.into_iter().flatten() {
                    lists.push(planner.list(operand, Some(F32))?);
                }
            }
        }
        let mut outputs = vec![planner.write(&self.out, len, None)?];
        if let Some(output) = step_of_rows.filter(|_| is_own) {
            outputs.push(planner.write(output, 1, None)?);
        }
        let keeps = self.routing.capacity.is_none();
        planner.rows(
            "quantise rows",
            [tables, lists, outputs],
            self.rows,
            move |row, tables, lists, outputs| {
                let [sources, owners, given @ ..] = lists else { return Ok(false) };
                let (Some((out, others)), source) = (outputs.split_first_mut(), int(sources, row)) else {
                    return Ok(false);
                };
                if source < 0 && keeps {
                    return Ok(false);
                }
                let number = |place: usize| given.get(place).map_or(0.0, |list| float(list, 0));
                let numbers = [number(0), number(1)];
                let out: &mut [i8] = bytemuck::cast_slice_mut(out);
                out.fill(0);
                let mut step = 0.0;
                let mut factors: Option<Vec<f32>> = None;
                if tables.has(1) {
                    let expert = if of_experts { int(owners, row) } else { 0 };
                    tables.visit::<f32>(1, expert, &mut |row| factors = Some(row.to_vec()))?;
                }
                if source >= 0 {
                    tables.visit::<f32>(0, source / k.max(1) as i64, &mut |x| {
                        step = combine::quantize(steps, x, factors.as_deref(), numbers, out);
                    })?;
                }
                if let [place] = others {
                    place.copy_from_slice(&step.to_ne_bytes());
                }
                Ok(true)
            },
        );
        Ok(())
    }
}
