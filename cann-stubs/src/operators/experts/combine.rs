//! Sums of what the experts of each token give.

use std::ops::Range;

use aclnn_numerics::DType::{self, BF16, F16, F32, I32};
use aclnn_numerics::product::Product;
use aclnn_sys::{ACL_FORMAT_NCL, ACL_FORMAT_ND};
use cann_kernels::networks::experts::combine::{Found, Special, Terms};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{Divided, INDICES, StagePlanner, sizes, typed};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// A sum over the experts of tokens.
struct Sum<'a> {
    own: &'a Operand<'a>,
    places: &'a Operand<'a>,
    added: [Option<&'a Operand<'a>>; 2],
    bias: Option<&'a Operand<'a>>,
    scales: Option<&'a Operand<'a>>,
    experts: Option<&'a Operand<'a>>,
    tokens: Option<&'a Operand<'a>>,
    constants: [Option<&'a Operand<'a>>; 3],
    out: &'a Operand<'a>,
    special: Special,
    by_column: bool,
    /// Tokens, experts of each, elements of each.
    sizes: [usize; 3],
    dtype: DType,
    ties_away: bool,
}

impl Sum<'_> {
    fn plan(self) -> Result<Plan> {
        let [rows, k, len] = self.sizes;
        if [rows, len].contains(&0) {
            return Ok(Plan::empty());
        }
        let mut planner = StagePlanner::default();
        let mut tables = vec![planner.table(self.own, len, Some(F32))?];
        let mut table = |planner: &mut StagePlanner, operand: Option<&Operand>| -> Result<Option<usize>> {
            let Some(operand) = operand else { return Ok(None) };
            tables.push(planner.table(operand, len, Some(F32))?);
            Ok(Some(tables.len() - 1))
        };
        let [own, other, constant] = self.constants;
        let found = Found {
            added: [table(&mut planner, self.added[0])?, table(&mut planner, self.added[1])?],
            bias: table(&mut planner, self.bias)?,
            tokens: table(&mut planner, self.tokens)?,
            constant: table(&mut planner, constant)?,
        };
        let mut lists = vec![planner.list(self.places, Some(I32))?];
        let mut list =
            |planner: &mut StagePlanner, operand: Option<&Operand>, seen| -> Result<Option<usize>> {
                let Some(operand) = operand else { return Ok(None) };
                lists.push(planner.list(operand, Some(seen))?);
                Ok(Some(lists.len() - 1))
            };
        let scales = list(&mut planner, self.scales, F32)?;
        let experts = list(&mut planner, self.experts, I32)?;
        let constants = [list(&mut planner, own, F32)?, list(&mut planner, other, F32)?];
        let outputs = vec![planner.write(self.out, len, Some(F32))?];
        let (special, dtype, by_column, ties_away) =
            (self.special, self.dtype, self.by_column, self.ties_away);
        planner.rows("sum up experts", [tables, lists, outputs], rows, move |row, tables, lists, outputs| {
            let [out] = outputs else { return Ok(false) };
            let out: &mut [f32] = bytemuck::cast_slice_mut(out);
            let of = |number: Option<usize>| number.and_then(|number| lists.get(number)).copied();
            let Some(places) = of(Some(0)) else { return Ok(false) };
            let terms = Terms { places, factors: of(scales), experts: of(experts), by_column, rows, k };
            terms.sum(row, tables, (found, &special, constants.map(of)), dtype, out)?;
            if ties_away {
                out.iter_mut().for_each(|x| {
                    *x = f32::from_bits(x.to_bits().wrapping_add(0x8000) & 0xffff_0000);
                });
            }
            Ok(true)
        });
        Ok(planner.plan())
    }
}

pub(super) fn finalize_routing(call: &Call<'_>) -> Result<Plan> {
    let [own, x1, bias] = [call.tensor("expandedX")?, call.tensor("x1")?, call.tensor("bias")?];
    let x2 = call.optional_tensor("x2Optional")?;
    let [scales, places, experts, out] = [
        call.tensor("scales")?,
        call.tensor("expandedRowIdx")?,
        call.tensor("expandedExpertIdx")?,
        call.tensor("out")?,
    ];
    let mut floats = vec![&own, &x1, &bias, &scales, &out];
    floats.extend(&x2);
    let dtype = check::alike(&floats, signatures::finalize_routing.takes)?;
    check::all_exactly(&[&places, &experts], I32)?;
    let given = Divided::Generated.check(sizes::<2>(&own).and_then(|[count, len]| {
        let ([rows, _], [k_rows, k]) = (sizes::<2>(&x1)?, sizes::<2>(&scales)?);
        let [of_bias, of_bias_len] = sizes::<2>(&bias)?;
        check::output_shape(&places, &[count])?;
        check::output_shape(&experts, &[rows, k])?;
        check::each(&[Some(&x1), x2.as_ref(), Some(&out)], |x| check::output_shape(x, &[rows, len]))?;
        match k_rows == rows && of_bias > 0 && of_bias_len == len && k > 0 && count == rows * k {
            true => Ok([rows, k, len]),
            false => invalid(format_args!("{count} rows for {rows} tokens of {k} experts each")),
        }
    }))?;
    let sum = Sum {
        own: &own,
        places: &places,
        added: [Some(&x1), x2.as_ref()],
        bias: Some(&bias),
        scales: Some(&scales),
        experts: Some(&experts),
        tokens: None,
        constants: [None; 3],
        out: &out,
        special: Special::default(),
        by_column: true,
        sizes: given,
        dtype,
        ties_away: dtype == BF16,
    };
    sum.plan()
}

/// A range of experts among the arguments.
fn range(call: &Call<'_>, name: &str, experts: Option<usize>) -> Result<Range<i64>> {
    let range = call.optional(name, Call::ints)?;
    match range {
        None | Some([]) => Ok(0..0),
        Some([start, end])
            if 0 <= *start && start <= end && experts.is_none_or(|most| *end <= most as i64) =>
        {
            Ok(*start..*end)
        }
        Some(other) => invalid(format_args!("{name} is {other:?}, but must be a range of experts")),
    }
}

pub(super) fn finalize_routing_v2(call: &Call<'_>) -> Result<Plan> {
    by_modes(call, signatures::finalize_routing_v2.takes, Divided::Launched)
}

pub(super) fn finalize_routing_v3(call: &Call<'_>) -> Result<Plan> {
    by_modes(call, signatures::finalize_routing_v3.takes, Divided::Generated)
}

fn by_modes(
    call: &Call<'_>,
    takes: aclnn_numerics::types_by_product::Types,
    divided: Divided,
) -> Result<Plan> {
    let [own, places, out] = [call.tensor("expandedX")?, call.tensor("expandedRowIdx")?, call.tensor("out")?];
    let optional = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (x1, x2) = (optional("x1Optional")?, optional("x2Optional")?);
    let (bias, scales) = (optional("biasOptional")?, optional("scalesOptional")?);
    let (experts, tokens) = (optional("expertIdxOptional")?, optional("xOptional")?);
    let constants = [optional("a1Optional")?, optional("a2Optional")?, optional("vOptional")?];
    let dtype = if own.is_empty() { own.known_dtype().unwrap_or(F32) } else { check::dtype(&own, takes)? };
    let same = [x1.as_ref(), x2.as_ref(), bias.as_ref(), Some(&out), tokens.as_ref()];
    check::each(&same, |operand| typed(operand, &[dtype]))?;
    let [a1, a2, v] = constants;
    check::each(&[scales, a1, a2, v], |operand| typed(operand, &[F32, F16, BF16]))?;
    check::each(&[experts.as_ref(), Some(&places)], |operand| typed(operand, INDICES))?;
    let is_nd = |operand: &Operand| operand.format() == ACL_FORMAT_ND;
    let others = [
        Some(&places),
        Some(&out),
        x1.as_ref(),
        x2.as_ref(),
        bias.as_ref(),
        scales.as_ref(),
        experts.as_ref(),
    ];
    let has_format = is_nd(&own) || own.rank() == 3 && own.format() == ACL_FORMAT_NCL;
    if !has_format || !others.into_iter().flatten().all(is_nd) {
        return invalid("operands have the format ND");
    }
    let mode = call.int("dropPadMode")?;
    let ranks =
        [(Some(&own), if matches!(mode, 0 | 2) { 2 } else { 3 }), (Some(&places), 1), (Some(&out), 2)];
    let more = [&x1, &x2, &bias, &scales, &experts]
        .map(|operand| (operand.as_ref().filter(|own| !own.is_empty()), 2));
    for (operand, rank) in ranks.into_iter().chain(more) {
        if let Some(operand) = operand.filter(|operand| operand.rank() != rank) {
            return invalid(format_args!(
                "{} has {} axes, but must have {rank}",
                operand.name,
                operand.rank()
            ));
        }
    }
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let product = settings::get().product;
    let checked = || -> Result<([usize; 3], Special)> {
        if !(0..=3).contains(&mode) {
            return invalid(format_args!("dropPadMode is {mode}, but must be from 0 to 3"));
        }
        let given = own.shape()?;
        let len = given.last().copied().unwrap_or(0);
        let k = match &scales {
            Some(scales) => sizes::<2>(scales)?[1],
            None if call.has("k") => usize::try_from(call.int("k")?).unwrap_or(0),
            None => 1,
        };
        let [count] = sizes::<1>(&places)?;
        if k == 0 || count % k != 0 {
            return invalid(format_args!(
                "expandedRowIdx has {count} elements for {k} experts of each token"
            ));
        }
        let rows = count / k;
        for operand in [x1.as_ref(), x2.as_ref(), Some(&out), tokens.as_ref()].into_iter().flatten() {
            check::output_shape(operand, &[rows, len])?;
        }
        check::each(&[&scales, &experts], |operand| check::output_shape(operand, &[rows, k]))?;
        if x2.is_some() && x1.is_none() || bias.is_some() && experts.is_none() {
            return invalid("x2 needs x1, and biasOptional needs expertIdxOptional");
        }
        let of_bias = bias.as_ref().map(sizes::<2>).transpose()?;
        if let Some([experts, own_len]) = of_bias
            && (own_len != len || experts < k || matches!(mode, 1 | 3) && experts != given[0])
        {
            return invalid(format_args!("biasOptional has {experts} rows of {own_len} elements"));
        }
        if let Some(scales) = &scales {
            match scales.known_dtype() {
                Some(own) if own == dtype || own == F32 && dtype == BF16 => {}
                _ => return invalid(format_args!("scalesOptional must be {dtype}, or f32 beside bf16")),
            }
        }
        let is_old = product == Product::Ascend310P;
        let absent = x1.is_none() && x2.is_none() && bias.is_none() && experts.is_none();
        let is_possible = mode == 2 && len.is_multiple_of(32) && absent;
        if is_old
            && (!is_possible || scales.as_ref().is_none_or(|scales| scales.known_dtype() != Some(dtype)))
        {
            return invalid(
                "this product takes dropPadMode 2, rows of multiples of 32 elements, and scalesOptional alone",
            );
        }
        let mut special = Special::default();
        if call.has("zeroExpertRange") {
            let most = of_bias.map(|[experts, _]| experts);
            special.zero = range(call, "zeroExpertRange", most)?;
            special.copy = range(call, "copyExpertRange", most)?;
            special.constant = range(call, "constantExpertRange", most)?;
            let all = [&special.zero, &special.copy, &special.constant];
            let meet = |a: &Range<i64>, b: &Range<i64>| a.start.max(b.start) < a.end.min(b.end);
            if meet(all[0], all[1]) || meet(all[0], all[2]) || meet(all[1], all[2]) {
                return invalid("the ranges of experts overlap");
            }
            let is_special = all.iter().any(|range| !range.is_empty());
            let needs_tokens = !special.copy.is_empty() || !special.constant.is_empty();
            if is_special && experts.is_none() || needs_tokens && tokens.is_none() {
                return invalid(
                    "ranges of experts need expertIdxOptional, and those that are copied need xOptional",
                );
            }
            if !special.constant.is_empty() {
                let count = (special.constant.end - special.constant.start) as usize;
                let [Some(a1), Some(a2), Some(v)] = &constants else {
                    return invalid("constantExpertRange needs a1Optional, a2Optional and vOptional");
                };
                check::each(&[a1, a2], |operand| check::output_shape(operand, &[count]))?;
                check::output_shape(v, &[count, len])?;
            }
        }
        Ok(([rows, k, len], special))
    };
    let (given, special) = divided.check(checked())?;
    let sum = Sum {
        own: &own,
        places: &places,
        added: [x1.as_ref(), x2.as_ref()],
        bias: bias.as_ref(),
        scales: scales.as_ref(),
        experts: experts.as_ref(),
        tokens: tokens.as_ref(),
        constants: [constants[0].as_ref(), constants[1].as_ref(), constants[2].as_ref()],
        out: &out,
        special,
        by_column: matches!(mode, 0 | 1),
        sizes: given,
        dtype,
        ties_away: false,
    };
    sum.plan()
}
