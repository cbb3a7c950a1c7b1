//! Tokens in the order that a map of tokens and experts gives, and back.

use aclnn_numerics::DType::{BF16, F32, I32};
use cann_kernels::functions::rows::scaled;
use cann_kernels::networks::experts::combine::{self, float, int};
use cann_kernels::networks::experts::permute;

use super::permute::{indices, numel, spread, suits, sum_choices, sum_groups};
use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::read_lanes;
use crate::operators::stage_planner::{BYTES, Divided, StagePlanner, again, sizes, typed, within};
use crate::operators::{check, signatures};
use crate::status::Result;

const MOST: i64 = 16_777_214;

pub(super) fn token_permute_with_routing_map(call: &Call<'_>) -> Result<Plan> {
    let [tokens, map] = [call.tensor("tokens")?, call.tensor("routingMap")?];
    let probs = call.optional_tensor("probsOptional")?;
    let [out, places] = [call.tensor("permuteTokensOut")?, call.tensor("sortedIndicesOut")?];
    let of_places = match &probs {
        Some(_) => Some(call.tensor("permuteProbsOutOptional")?),
        None => None,
    };
    check::alike(&[&tokens, &out], signatures::token_permute_with_routing_map.takes)?;
    typed(&map, BYTES)?;
    indices(&[&places])?;
    if let (Some(probs), Some(of_places)) = (&probs, &of_places) {
        suits(probs, &tokens)?;
        check::alike(&[probs, of_places], signatures::token_permute_with_routing_map.takes)?;
    } else if call.optional_tensor("permuteProbsOutOptional")?.is_some() {
        return invalid("permuteProbsOutOptional is there, but probsOptional is null");
    }
    let [rows, experts] = sizes::<2>(&map)?;
    check::each(probs.as_slice(), |probs| check::output_shape(probs, &[rows, experts]))?;
    let [given, len] = sizes::<2>(&tokens)?;
    let number = call.int("numOutTokens")?;
    within("the rows and experts of routingMap", rows.max(experts) as i64, 0..=MOST)?;
    let number = within("numOutTokens", number, 0..=(rows * experts) as i64)?;
    if map.is_empty() {
        return Ok(Plan::empty());
    }
    let pads = call.flag("dropAndPad")?;
    let (k, capacity) = (number / rows, number / experts);
    let count = if pads { capacity * experts } else { k * rows };
    for output in [Some(&out), of_places.as_ref()].into_iter().flatten() {
        if output.shape()?.first() != Some(&count) {
            return invalid(format_args!(
                "{} has shape {}, but must have {count} rows",
                output.name,
                output.shape()?
            ));
        }
    }
    Divided::Later.check(check::output_shape(&places, &[count]).and_then(|()| {
        check::output_shape(&out, &[count, len])?;
        check::each(of_places.as_slice(), |output| check::output_shape(output, &[count]))?;
        if given == rows {
            Ok(())
        } else {
            invalid(format_args!("tokens has {given} rows, but routingMap {rows}"))
        }
    }))?;
    let mut planner = StagePlanner::default();
    let read = planner.list(&map, None)?;
    let (list, spare) = (planner.write_list(Some(&places), I32, 1)?, planner.kept(I32, 1)?);
    let (rest, cells) = (planner.kept(I32, if pads { 1 } else { count })?, planner.kept(I32, count)?);
    // With a capacity the list holds the rows themselves.
    let again_sources = again(if pads { &list } else { &rest }, I32)?;
    let again_cells = again(&cells, I32)?;
    let [choices, sources] = if pads { [rest, list] } else { [list, rest] };
    let body = permute::of_map([rows, experts], k, pads.then_some(capacity));
    planner.lanes([read], [choices, sources, cells, spare], 1, body);
    planner.copy_rows(&tokens, &again_sources, &out, [len, count, 1], true)?;
    if let (Some(probs), Some(of_places)) = (&probs, &of_places) {
        let lists = vec![planner.list(probs, Some(F32))?, again_cells];
        let outputs = vec![planner.write(of_places, 1, Some(F32))?];
        planner.rows("take probabilities", [Vec::new(), lists, outputs], count, |row, _, lists, outputs| {
            let ([probs, cells], [out]) = (lists, outputs) else { return Ok(false) };
            let cell = usize::try_from(int(cells, row)).ok();
            out.copy_from_slice(&cell.map_or(0.0, |cell| float(probs, cell)).to_ne_bytes());
            Ok(cell.is_some())
        });
    }
    Ok(planner.plan())
}

pub(super) fn token_permute_with_routing_map_grad(call: &Call<'_>) -> Result<Plan> {
    let takes = signatures::token_permute_with_routing_map_grad.takes;
    let most = i64::from(i32::MAX);
    let experts = within("numExperts", call.int("numExperts")?, 1..=most)?;
    let rows = within("tokensNum", call.int("tokensNum")?, 1..=most)?;
    let [grad, places, out] = [
        call.tensor("permutedTokenOutputGrad")?,
        call.tensor("sortedIndices")?,
        call.tensor("tokensGradOut")?,
    ];
    let of_probs = call.optional_tensor("permutedProbsOutputGradOptional")?;
    let map = match &of_probs {
        Some(_) => Some(call.tensor("routingMapOptional")?),
        None => call.optional_tensor("routingMapOptional")?,
    };
    let to_probs = call.optional_tensor("probsGradOutOptional")?;
    let own = check::alike(&[&grad, &out], takes)?;
    for probs in [of_probs, to_probs].iter().flatten() {
        match probs.known_dtype() {
            Some(dtype) if dtype == own || dtype == F32 && own == BF16 => {}
            _ => return invalid(format_args!("{} must be {own}, or f32 beside bf16", probs.name)),
        }
    }
    check::each(map.as_slice(), |map| typed(map, BYTES))?;
    indices(&[&places])?;
    let [given, len] = sizes::<2>(&grad)?;
    check::each(map.as_slice(), |map| sizes::<2>(map))?;
    check::each(of_probs.as_slice(), |probs| sizes::<1>(probs))?;
    if grad.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let (pads, count) = (call.flag("dropAndPad")?, numel(&places)?);
    let pair = of_probs.as_ref().zip(to_probs.as_ref());
    Divided::Later.check(check::output_shape(&out, &[rows, len]).and_then(|()| {
        if let Some((given, to)) = pair {
            check::output_shape(to, &[rows, experts])?;
            check::each(map.as_slice(), |map| check::output_shape(map, &[rows, experts]))?;
            sizes::<1>(given)?;
        }
        if pads && given < count {
            return invalid(format_args!("sortedIndices has {count} elements for {given} rows"));
        }
        Ok(())
    }))?;
    let mut planner = StagePlanner::default();
    if pads {
        let read = planner.list(&places, None)?;
        let [order, sorted, starts] =
            [planner.kept(I32, count)?, planner.kept(I32, count)?, planner.kept(I32, rows + 1)?];
        let [order_again, starts_again] = [again(&order, I32)?, again(&starts, I32)?];
        planner.lanes([read], [order, sorted, starts], 1, permute::grouped());
        sum_groups(&mut planner, [&grad, &out], [&order_again, &starts_again], None, [rows, len])?;
    } else {
        let lists = vec![planner.list(&places, None)?];
        sum_choices(&mut planner, [&grad, &out], lists, [rows, count / rows, len])?;
    }
    if let Some((given, to)) = pair {
        let cells = planner.kept(I32, rows * experts)?;
        let cells_again = again(&cells, I32)?;
        if pads {
            let (read, body) = (planner.list(&places, None)?, permute::of_places(experts, count / experts));
            let [sources, places] = [planner.kept(I32, 1)?, planner.kept(I32, 1)?];
            planner.lanes([read], [sources, places, cells], 1, body);
        } else if let Some(map) = &map {
            let (read, body) = (planner.list(map, None)?, permute::of_map([rows, experts], 0, None));
            let unused = [planner.kept(I32, 1)?, planner.kept(I32, 1)?, planner.kept(I32, 1)?];
            let [choices, sources, places] = unused;
            planner.lanes([read], [choices, sources, places, cells], 1, body);
        }
        let numbers = planner.list(given, Some(F32))?;
        spread(&mut planner, numbers, &cells_again, to)?;
    }
    Ok(planner.plan())
}

pub(super) fn token_unpermute_with_routing_map(call: &Call<'_>) -> Result<Plan> {
    let takes = signatures::token_unpermute_with_routing_map.takes;
    let [own, places] = [call.tensor("permutedTokens")?, call.tensor("sortedIndices")?];
    let probs = call.optional_tensor("probsOptional")?;
    let shape = call.optional("restoreShapeOptional", Call::ints)?;
    let rows = match (&probs, shape) {
        (None, None) => {
            return call
                .tensor("probsOptional")
                .and(call.ints("restoreShapeOptional"))
                .map(|_| Plan::empty());
        }
        (Some(probs), _) => probs.shape()?.first().copied().unwrap_or(0),
        (None, Some([rows, _])) => within("restoreShapeOptional", *rows, 0..=i64::from(i32::MAX))?,
        (None, Some(other)) => {
            return invalid(format_args!("restoreShapeOptional is {other:?}, but must have 2 entries"));
        }
    };
    let (map, out) = (call.optional_tensor("routingMapOptional")?, call.tensor("unpermutedTokens")?);
    let [index, ids] = call.optional_tensors_of(["outIndex", "permuteTokenId"])?;
    let of_places = call.optional_tensor("permuteProbs")?;
    check::alike(&[&own, &out], takes)?;
    indices(&[&places])?;
    check::each(&[&index, &ids], |list| indices(&[list]))?;
    if let Some(probs) = &probs {
        suits(probs, &own)?;
        check::each(of_places.as_slice(), |output| check::alike(&[probs, output], takes))?;
    }
    let ([given, len], [count]) = (sizes::<2>(&own)?, sizes::<1>(&places)?);
    sizes::<2>(&out)?;
    let pads = call.flag("paddedMode")?;
    if count == 0 || !pads && own.is_empty() {
        let (outputs, mut typed) = ([Some(out), index, ids, of_places], Vec::new());
        for output in outputs.iter().flatten() {
            typed.push((output, check::any_dtype(output)?));
        }
        return filled(&typed, 0.0);
    }
    let k = given.checked_div(rows).unwrap_or(0);
    let experts = probs.as_ref().map_or(Ok(1), |probs| sizes::<2>(probs).map(|[_, experts]| experts));
    let experts = Divided::Later.check(experts)?;
    let of_map = map.as_ref().filter(|_| !pads && probs.is_some());
    Divided::Later.check(check::output_shape(&out, &[rows, len]).and_then(|()| {
        check::each(of_map.as_slice(), |map| {
            typed(map, BYTES)?;
            check::output_shape(map, &[rows, experts])
        })?;
        let lists = [
            index.as_ref().filter(|_| pads),
            ids.as_ref().filter(|_| pads),
            of_places.as_ref().filter(|_| probs.is_some()),
        ];
        check::each(&lists, |list| check::output_shape(list, &[count]))?;
        let fits = if pads { given >= count && experts > 0 } else { k <= 512 && count >= rows * k };
        match fits && (pads || probs.is_none() || of_map.is_some()) {
            true => Ok(()),
            false => invalid(format_args!("{count} indices for {given} rows and {rows} tokens")),
        }
    }))?;
    let mut planner = StagePlanner::default();
    let mut factors = None;
    if let Some(probs) = &probs {
        let (keys, body) = match of_map {
            Some(map) => (map, permute::of_true_cells()),
            None => (&places, permute::of_cells(experts, count / experts)),
        };
        let inputs = [planner.list(keys, None)?, planner.list(probs, Some(F32))?];
        let kept = planner.kept(F32, count)?;
        factors = Some(again(&kept, F32)?);
        let written = planner.write_list(of_places.as_ref(), F32, 1)?;
        planner.lanes(inputs, [kept, written], 1, body);
    }
    if !pads {
        let mut lists = vec![planner.list(&places, None)?];
        lists.extend(factors);
        sum_choices(&mut planner, [&own, &out], lists, [rows, k, len])?;
        return Ok(planner.plan());
    }
    let [order, starts] = [planner.kept(I32, count)?, planner.kept(I32, rows + 1)?];
    let [order_again, starts_again] = [again(&order, I32)?, again(&starts, I32)?];
    let (read, sorted) = (planner.list(&places, None)?, planner.write_list(ids.as_ref(), I32, 1)?);
    planner.lanes([read], [order, sorted, starts], 1, permute::grouped());
    if let Some(index) = &index {
        let (read, written) = (planner.list(&places, None)?, planner.write_list(Some(index), I32, 1)?);
        let unused = [planner.kept(I32, 1)?, planner.kept(I32, 1)?];
        let [sorted, starts] = unused;
        planner.lanes([read], [written, sorted, starts], 1, permute::grouped());
    }
    sum_groups(&mut planner, [&own, &out], [&order_again, &starts_again], factors, [rows, len])?;
    Ok(planner.plan())
}

pub(super) fn token_unpermute_with_routing_map_grad(call: &Call<'_>) -> Result<Plan> {
    let takes = signatures::token_unpermute_with_routing_map_grad.takes;
    let [grad, index, ids, out] = [
        call.tensor("unpermutedTokensGrad")?,
        call.tensor("outIndex")?,
        call.tensor("permuteTokenId")?,
        call.tensor("permutedTokensGradOut")?,
    ];
    let optional = |name| call.optional_tensor(name);
    let (map, own) = (optional("routingMapOptional")?, optional("permutedTokensOptional")?);
    let (probs, to_probs) = (optional("probsOptional")?, optional("probsGradOutOptional")?);
    check::alike(&[&grad, &out], takes)?;
    indices(&[&index, &ids])?;
    check::each(own.as_slice(), |own| check::alike(&[&grad, own], takes))?;
    check::each(&[&probs, &to_probs], |probs| suits(probs, &grad))?;
    check::each(map.as_slice(), |map| typed(map, BYTES))?;
    let pads = call.flag("dropAndPad")?;
    let checked = || -> Result<([usize; 3], Option<[&Operand; 3]>)> {
        let ([rows, len], [count]) = (sizes::<2>(&grad)?, sizes::<1>(&index)?);
        check::output_shape(&ids, &[count])?;
        check::output_shape(&out, &[count, len])?;
        let Some(probs) = &probs else { return Ok(([rows, len, count], None)) };
        let [given, experts] = sizes::<2>(probs)?;
        let (Some(own), Some(to_probs)) = (&own, &to_probs) else {
            return invalid("probsOptional needs permutedTokensOptional and probsGradOutOptional");
        };
        check::output_shape(own, &[count, len])?;
        check::output_shape(to_probs, &[rows, experts])?;
        match &map {
            Some(map) => check::output_shape(map, &[rows, experts])?,
            None if !pads => return invalid("probsOptional needs routingMapOptional"),
            None => {}
        }
        match given == rows && experts > 0 {
            true => Ok(([rows, len, count], Some([probs, own, to_probs]))),
            false => invalid(format_args!("probsOptional has shape {}", probs.shape()?)),
        }
    };
    let ([rows, len, count], others) = Divided::Generated.check(checked())?;
    if [count, len].contains(&0) {
        return others.map_or(Ok(Plan::empty()), |[_, _, to_probs]| {
            filled(&[(to_probs, to_probs.known_dtype().unwrap_or(F32))], 0.0)
        });
    }
    let experts = others.map_or(Ok(1), |[probs, ..]| sizes::<2>(probs).map(|[_, experts]| experts))?;
    let mut planner = StagePlanner::default();
    let inputs = [planner.list(&ids, None)?, planner.list(&index, None)?];
    let [sources, cells, places] =
        [planner.kept(I32, count)?, planner.kept(I32, count)?, planner.kept(I32, rows * experts)?];
    let [sources_again, mut cells_again, mut places_again] =
        [again(&sources, I32)?, again(&cells, I32)?, again(&places, I32)?];
    planner.lanes(inputs, [sources, cells, places], 1, permute::of_places(experts, count / experts));
    if let (false, Some(map), Some(_)) = (pads, &map, others) {
        let read = planner.list(map, None)?;
        let unused = [planner.kept(I32, 1)?, planner.kept(I32, 1)?];
        let [cells, places] = [planner.kept(I32, count)?, planner.kept(I32, rows * experts)?];
        (cells_again, places_again) = (again(&cells, I32)?, again(&places, I32)?);
        let [choices, sources] = unused;
        planner.lanes(
            [read],
            [choices, sources, cells, places],
            1,
            permute::of_map([rows, experts], 0, None),
        );
    }
    let (mut tables, mut lists) = (vec![planner.table(&grad, len, Some(F32))?], vec![sources_again]);
    let mut outputs = vec![planner.write(&out, len, Some(F32))?];
    let mut products = None;
    if let Some([probs, own, _]) = others {
        tables.push(planner.table(own, len, Some(F32))?);
        lists.extend([cells_again, planner.list(probs, Some(F32))?]);
        let kept = planner.kept(F32, count)?;
        products = Some(again(&kept, F32)?);
        outputs.push((kept.0, read_lanes(1, F32, F32)?));
    }
    planner.rows("scale rows", [tables, lists, outputs], count, |row, tables, lists, outputs| {
        let ([sources, of_probs @ ..], [out, product @ ..]) = (lists, outputs) else { return Ok(false) };
        let source = int(sources, row);
        let factor = match of_probs {
            [cells, probs] => usize::try_from(int(cells, row)).map_or(0.0, |cell| float(probs, cell)),
            _ => 1.0,
        };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        let is_there = tables.visit::<f32>(0, source, &mut |row| {
            scaled(row, factor, out);
        })?;
        if let [product] = product {
            let sum = combine::dot(tables, [(0, source), (1, row as i64)])?;
            product.copy_from_slice(&sum.to_ne_bytes());
        }
        Ok(is_there)
    });
    if let (Some([_, _, to_probs]), Some(products)) = (others, products) {
        spread(&mut planner, products, &places_again, to_probs)?;
    }
    Ok(planner.plan())
}
