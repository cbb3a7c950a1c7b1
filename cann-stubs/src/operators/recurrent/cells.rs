//! Cells of recurrent networks.
//!
//! CANN does not describe these operators: what they compute and refuse is what PyTorch computes and refuses.

use aclnn_numerics::DType::F32;
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::LaneFunction;
use cann_kernels::networks::recurrent::{LstmRow, lstm_cell as cell_of, sum_rows};

use crate::mapped::mapped;
use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::lane;
use crate::operators::stage_planner::StagePlanner;
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// The shape of the states of cells, one row for each batch, and that of their four gates.
fn shapes(gates: &Operand, cell: &Operand) -> Result<[Shape; 2]> {
    match (&gates.shape()?[..], &cell.shape()?[..]) {
        ([rows, columns], _) if rows.checked_mul(*columns).is_none() => invalid(format_args!(
            "{} has shape {}, and no device has so much memory",
            gates.name,
            gates.shape()?
        )),
        ([rows, columns], [batches, size]) if rows == batches && size.checked_mul(4) == Some(*columns) => {
            Ok([cell.shape()?.clone(), gates.shape()?.clone()])
        }
        _ => invalid(format_args!(
            "{} has shape {} and {} {}, but must be a row for each batch with four gates for each state of a cell",
            gates.name,
            gates.shape()?,
            cell.name,
            cell.shape()?
        )),
    }
}

pub(super) fn lstm_cell(call: &Call<'_>) -> Result<Plan> {
    let [input, hidden, cell] = [call.tensor("inputGates")?, call.tensor("hiddenGates")?, call.tensor("cx")?];
    let biases = [call.optional_tensor("inputBiasOptional")?, call.optional_tensor("hiddenBiasOptional")?];
    let [state, next, storage] = [call.tensor("hyOut")?, call.tensor("cyOut")?, call.tensor("storageOut")?];
    let mut all = vec![&input, &hidden, &cell, &state, &next, &storage];
    all.extend(biases.iter().flatten());
    check::alike(&all, signatures::lstm_cell.takes)?;
    let [of_cell, of_gates] = shapes(&input, &cell)?;
    check::output_shape(&hidden, &of_gates)?;
    if biases[0].is_some() != biases[1].is_some() {
        return invalid("there must be two biases or none");
    }
    let columns = of_gates[1];
    for bias in biases.iter().flatten() {
        check::output_shape(bias, &[columns])?;
    }
    for (output, shape) in [(&state, &of_cell), (&next, &of_cell), (&storage, &of_gates)] {
        check::output_shape(output, shape)?;
    }
    if of_cell.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let [rows, size] = [of_cell[0], of_cell[1]];
    let mut made = StagePlanner::default();
    let mut inputs = vec![
        made.read(&cell, size, Some(F32))?,
        made.read(&input, columns, Some(F32))?,
        made.read(&hidden, columns, Some(F32))?,
    ];
    for bias in biases.iter().flatten() {
        inputs.push(made.read_again(bias, rows, F32)?);
    }
    let outputs = [
        made.write(&state, size, Some(F32))?,
        made.write(&next, size, Some(F32))?,
        made.write(&storage, columns, Some(F32))?,
    ];
    let body = LaneFunction::new("cell", |_, inputs, outputs| {
        let ([cell, parts @ ..], [hidden, next, gates]) = (inputs, outputs) else { return Ok(()) };
        let parts: Vec<&[f32]> = mapped(parts, |part| bytemuck::cast_slice(part));
        let (hidden, next) = (bytemuck::cast_slice_mut(hidden), bytemuck::cast_slice_mut(next));
        cell_of(&parts, bytemuck::cast_slice(cell), [hidden, next, bytemuck::cast_slice_mut(gates)]);
        Ok(())
    });
    made.builder.lanes(inputs, outputs, rows, body);
    Ok(made.plan())
}

pub(super) fn lstm_cell_backward(call: &Call<'_>) -> Result<Plan> {
    let grads = [call.optional_tensor("gradHyOptional")?, call.optional_tensor("gradCOptional")?];
    let [cell, next, storage] = [call.tensor("cx")?, call.tensor("cy")?, call.tensor("storage")?];
    let [to_gates, to_cell] = [call.tensor("gradGatesOut")?, call.tensor("gradCxOut")?];
    let to_bias = call.flag("hasBias")?.then(|| call.tensor("gradBiasOut")).transpose()?;
    if grads.iter().all(Option::is_none) {
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "both gradHyOptional and gradCOptional are null"));
    }
    let all = [
        &[cell, next, storage, to_gates, to_cell],
        grads[0].as_slice(),
        grads[1].as_slice(),
        to_bias.as_slice(),
    ];
    let dtype = check::alike(&all.concat(), signatures::lstm_cell_backward.takes)?;
    let [of_cell, of_gates] = shapes(&storage, &cell)?;
    let of_cells = [grads[0], grads[1], Some(next), Some(to_cell)];
    check::each(&of_cells, |operand| check::output_shape(operand, &of_cell))?;
    check::output_shape(&to_gates, &of_gates)?;
    let [rows, size, columns] = [of_cell[0], of_cell[1], of_gates[1]];
    if let Some(bias) = &to_bias {
        check::output_shape(bias, &[columns])?;
    }
    if of_cell.is_empty_tensor() {
        return filled(&mapped::<_, Vec<_>>(to_bias.as_slice(), |bias| (bias, dtype)), 0.0);
    }
    let mut made = StagePlanner::default();
    let mut inputs = vec![
        made.read(&cell, size, Some(F32))?,
        made.read(&next, size, Some(F32))?,
        made.read(&storage, columns, Some(F32))?,
    ];
    for grad in grads.iter().flatten() {
        inputs.push(made.read(grad, size, Some(F32))?);
    }
    let given = [grads[0].is_some(), grads[1].is_some()];
    let between = made.builder.temporary(F32, if to_bias.is_some() { rows * columns } else { 0 })?;
    let mut outputs =
        vec![made.write(&to_gates, columns, Some(F32))?, made.write(&to_cell, size, Some(F32))?];
    if to_bias.is_some() {
        outputs.push((between, lane(columns, &[F32], F32)?));
    }
    let body = LaneFunction::new("cell gradient", move |_, inputs, outputs| {
        let ([cell, next, gates, grads @ ..], [to_gates, to_cell, kept @ ..]) = (inputs, outputs) else {
            return Ok(());
        };
        let mut grads = grads.iter().map(|grad| bytemuck::cast_slice(grad));
        let grads = given.map(|is_given| if is_given { grads.next() } else { None });
        let (cell, next) = (bytemuck::cast_slice(cell), bytemuck::cast_slice(next));
        let gates = bytemuck::cast_slice(gates);
        let to_gates = bytemuck::cast_slice_mut(to_gates);
        LstmRow { grads, cell, next, is_bent: false, gates }
            .gradients(to_gates, bytemuck::cast_slice_mut(to_cell));
        if let [kept] = kept {
            bytemuck::cast_slice_mut(kept).copy_from_slice(to_gates);
        }
        Ok(())
    });
    made.builder.lanes(inputs, outputs, rows, body);
    if let Some(bias) = &to_bias {
        let written = made.write(bias, columns, Some(F32))?;
        let body = LaneFunction::new("sum rows", |_, inputs, outputs| {
            let ([rows], [sums]) = (inputs, outputs) else { return Ok(()) };
            sum_rows(bytemuck::cast_slice(rows), bytemuck::cast_slice_mut(sums));
            Ok(())
        });
        made.builder.lanes([(between, lane(rows * columns, &[F32], F32)?)], [written], 1, body);
    }
    Ok(made.plan())
}
