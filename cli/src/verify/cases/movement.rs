//! Elements copied to other places.

use aclnn_numerics::DType::{self, F32, I4, I64};
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::Output;

use super::call::{Call, Cell, LAYOUTS, SHAPES, SHAPES_IN_PLACE, is_in_place, pool};
use crate::declared::{Operator, Signature};
use crate::verify::case::{Argument, Class, Role, Tensor};
use crate::verify::draw::Domain;

/// Each type; where the output may have another type, each with each of those.
pub(super) fn cells(operator: &Operator, product: Product) -> Vec<Cell> {
    let takes = operator.signature.takes(product);
    let converts = match operator.signature {
        Signature::Movement(rule) => !matches!(rule.output, Output::Own | Output::Exact),
        _ => false,
    };
    let plain = if is_in_place(operator) { Class::InPlace } else { Class::Contiguous };
    let classes = classes(operator);
    let variants: &[&str] = if operator.info.name() == "Diag" { &["", "matrix"] } else { &[""] };
    let mut cells = Vec::new();
    for own in pool(takes) {
        let taken = if takes.contains(own) { &classes[..] } else { std::slice::from_ref(&plain) };
        if !converts {
            cells.push(Cell::with_variants(&[own], taken, variants));
            continue;
        }
        cells.push(Cell::new(&[own, own], taken));
        let others = DType::TABLE.into_iter().filter(|out| *out != own && takes.contains(own));
        cells.extend(others.map(|out| Cell::new(&[own, out], &[plain])));
    }
    cells
}

fn classes(operator: &Operator) -> Vec<Class> {
    let without = |classes: &[Class], left: &[Class]| {
        classes.iter().copied().filter(|class| !left.contains(class)).collect()
    };
    match operator.info.name() {
        // Both tensors must be contiguous.
        "ConvertWeightToINT4Pack" | "NpuFormatCast" => vec![Class::Contiguous],
        "Eye" => vec![Class::Contiguous, Class::Strided, Class::Transposed],
        "Cat" => without(&SHAPES, &[Class::NoAxes, Class::Broadcast]),
        "Stack" => without(&SHAPES, &[Class::EightAxes, Class::Broadcast]),
        "SplitTensor" | "SplitWithSize" | "Permute" | "Slice" | "SliceV2" | "StridedSlice" | "Tril"
        | "Triu" => without(&SHAPES, &[Class::NoAxes]),
        "InplaceTril" | "InplaceTriu" | "InplaceFillDiagonal" => without(&SHAPES_IN_PLACE, &[Class::NoAxes]),
        "ChunkCat" | "ChannelShuffle" | "Diag" | "DiagFlat" | "Im2col" | "RepeatInterleaveTensor" => {
            LAYOUTS.to_vec()
        }
        name if name.ends_with("dBackward") || name == "UnfoldGrad" => LAYOUTS.to_vec(),
        name if name.ends_with("Pad1d") || name.ends_with("Pad2d") || name.ends_with("Pad3d") => {
            LAYOUTS.to_vec()
        }
        _ if is_in_place(operator) => SHAPES_IN_PLACE.to_vec(),
        _ => SHAPES.to_vec(),
    }
}

pub(super) fn make(call: &mut Call<'_>) {
    let (own, out) = (call.dtype(0), call.dtype(1));
    let dims = call.class.dims();
    let rank = dims.len();
    let axis = rank.saturating_sub(1);
    let last = dims.last().copied().unwrap_or(1);
    let numel: i64 = dims.iter().product();
    let with_last = |size: i64| -> Vec<i64> {
        let mut dims = dims.clone();
        match dims.last_mut() {
            Some(last) => *last = size,
            None => dims.push(size),
        }
        dims
    };
    let domain = if own.is_float() && out.is_integer() { Domain::Whole(0, 8) } else { Domain::Any };
    match call.name() {
        "Cat" => {
            let parts = [last, 2, 1].map(with_last);
            list(call, own, &parts, domain);
            call.int(-1);
            call.write(out, &with_last(last + 3));
        }
        "ConvertWeightToINT4Pack" => {
            call.read(own, &[3, 16], Domain::Whole(-8, 7));
            call.write(out, &[3, if out == I4 { 16 } else { 2 }]);
        }
        "NpuFormatCast" => {
            call.read(own, &[3, 5], domain);
            call.write(out, &[1, 1, 16, 32 / (own.bits() / 8).max(1) as i64]);
        }
        "ChunkCat" => {
            let parts = [dims.clone(), dims.clone()];
            list(call, own, &parts, domain);
            call.int(0);
            call.int(2);
            let rows = dims.first().map_or(1, |size| (size + 1) / 2);
            call.write(out, &[2, 2 * rows * dims.iter().skip(1).product::<i64>()]);
        }
        "Stack" => {
            let parts = [dims.clone(), dims.clone()];
            list(call, own, &parts, domain);
            call.int(0);
            call.write(out, &[&[2], &dims[..]].concat());
        }
        "SplitTensor" | "SplitWithSize" => {
            call.read(own, &dims, domain);
            let size = (last + 1) / 2;
            if call.name() == "SplitTensor" {
                call.int(size)
            } else {
                call.ints(&[size, last - size])
            }
            call.int(-1);
            let layout = call.class.layout();
            let part = |size| Tensor::new(Role::Written, out, &with_last(size), layout, Vec::new());
            call.push(Argument::Tensors(vec![part(size), part(last - size)]));
        }
        "Permute" => {
            call.read(own, &dims, Domain::Any);
            let order: Vec<i64> = (1..rank as i64).chain([0]).collect();
            call.ints(&order);
            let made: Vec<i64> = order.iter().map(|axis| dims[*axis as usize]).collect();
            call.write(own, &made);
        }
        "Slice" => {
            call.read(own, &dims, Domain::Any);
            [axis as i64, 1, last, 2].into_iter().for_each(|number| call.int(number));
            call.write(own, &with_last(last / 2));
        }
        "SliceV2" => {
            call.read(own, &dims, Domain::Any);
            [1, last, axis as i64, 2].into_iter().for_each(|number| call.ints(&[number]));
            call.write(own, &with_last(last / 2));
        }
        "StridedSlice" => {
            call.read(own, &dims, Domain::Any);
            let mut begin = vec![0; rank];
            begin[axis] = 1;
            call.ints(&begin);
            call.ints(&dims);
            call.ints(&vec![1; rank]);
            (0..5).for_each(|_| call.int(0));
            call.write(own, &with_last(last - 1));
        }
        "Repeat" => {
            call.read(own, &dims, Domain::Any);
            let missing = usize::from(rank < 8);
            let mut repeats = vec![1; rank + missing];
            if let Some(first) = repeats.first_mut() {
                *first = 2;
            }
            if rank > 0 {
                repeats[rank + missing - 1] = 3;
            }
            let padded = [vec![1; missing], dims.clone()].concat();
            let made: Vec<i64> = padded.iter().zip(&repeats).map(|(size, count)| size * count).collect();
            call.ints(&repeats);
            call.write(own, &made);
        }
        "RepeatInterleave" => {
            call.read(own, &dims, Domain::Any);
            let total = counts(call, I64, numel);
            call.int(total);
            call.write(own, &[total]);
        }
        "RepeatInterleaveInt" => {
            call.read(own, &dims, Domain::Any);
            call.int(2);
            call.int(2 * numel);
            call.write(own, &[2 * numel]);
        }
        "RepeatInterleaveWithDim" => {
            call.read(own, &dims, Domain::Any);
            let total = counts(call, I64, last);
            call.int(-1);
            call.int(total);
            call.write(own, &with_last(total));
        }
        "RepeatInterleaveIntWithDim" => {
            call.read(own, &dims, Domain::Any);
            [2, -1, 2 * last].into_iter().for_each(|number| call.int(number));
            call.write(own, &with_last(2 * last));
        }
        "RepeatInterleaveTensor" => {
            let total = counts(call, own, 9);
            call.int(total);
            call.write(own, &[total]);
        }
        "Expand" => {
            let narrow = if rank == 0 { vec![] } else { with_last(1) };
            let wide = if rank == 0 { vec![3] } else { dims.clone() };
            call.read(own, &narrow, Domain::Any);
            call.ints(&wide);
            call.write(own, &wide);
        }
        "Roll" => {
            call.read(own, &dims, Domain::Any);
            call.ints(&[2]);
            call.ints(if rank == 0 { &[] } else { &[-1] });
            call.write(own, &dims);
        }
        "Flip" => {
            call.read(own, &dims, Domain::Any);
            call.ints(if rank == 0 { &[] } else { &[-1] });
            call.write(own, &dims);
        }
        "Flatten" => {
            call.read(own, &dims, Domain::Any);
            let split = rank.min(1);
            call.int(split as i64);
            let [rows, columns] = [&dims[..split], &dims[split..]].map(|part| part.iter().product::<i64>());
            call.write(own, &[rows, columns]);
        }
        "ChannelShuffle" => {
            call.read(own, &[2, 6, 3, 2], Domain::Any);
            call.int(3);
            call.write(own, &[2, 6, 3, 2]);
        }
        "Tril" | "Triu" | "InplaceTril" | "InplaceTriu" => {
            call.own(own, &dims, Domain::Any);
            call.int(1);
            call.out(own, &dims);
        }
        "Eye" => {
            call.int(4);
            call.int(9);
            call.write(own, &[4, 9]);
        }
        "Diag" => {
            let (from, to): (&[i64], &[i64]) =
                if call.variant == "matrix" { (&[4, 9], &[4]) } else { (&[5], &[6, 6]) };
            call.read(own, from, Domain::Any);
            call.int(1);
            call.write(own, to);
        }
        "DiagFlat" => {
            call.read(own, &[2, 3], domain);
            call.int(-1);
            call.write(out, &[7, 7]);
        }
        "InplaceFillDiagonal" => {
            call.update(own, &dims, Domain::Any);
            call.scalar(own, 3.0);
            call.flag(false);
        }
        "InplaceFillTensor" => {
            call.update(own, &dims, Domain::Any);
            call.read(own, &[], Domain::Finite);
        }
        "ConstantPadNd" => {
            call.read(own, &dims, Domain::Any);
            call.ints(if rank == 0 { &[] } else { &[1, 2] });
            call.scalar(if own.bits() == 8 && own.is_float() { F32 } else { own }, 3.0);
            call.write(own, &if rank == 0 { vec![] } else { with_last(last + 3) });
        }
        "Im2col" => {
            call.read(own, &[2, 3, 6, 5], domain);
            let (kernel, dilation, padding, stride) = ([2, 3], [1, 1], [1, 0], [2, 1]);
            [kernel, dilation, padding, stride].into_iter().for_each(|pair| call.ints(&pair));
            // Four positions down, three across.
            call.write(out, &[2, 3 * 2 * 3, 4 * 3]);
        }
        "UnfoldGrad" => {
            call.read(own, &[2, 4, 3, 3], Domain::Whole(-8, 8));
            call.ints(&[2, 6, 3]);
            [1, 3, 1].into_iter().for_each(|number| call.int(number));
            call.write(own, &[2, 6, 3]);
        }
        name if call.function().contains("_pad") => {
            let plain = name.trim_end_matches("Backward");
            let axes = if plain.ends_with("1d") {
                1
            } else if plain.ends_with("2d") {
                2
            } else {
                3
            };
            let own_dims = &[1, 2, 3, 4, 5][5 - axes - 2..];
            if plain != name {
                let given: Vec<i64> = own_dims
                    .iter()
                    .enumerate()
                    .map(|(axis, size)| if axis < 2 { *size } else { size + 2 })
                    .collect();
                call.read(own, &given, Domain::Whole(-8, 8));
                call.read(own, own_dims, Domain::Whole(-8, 8));
                call.ints(&vec![1; 2 * axes]);
                call.write(own, own_dims);
                return;
            }
            call.read(own, own_dims, Domain::Any);
            // From the last axis to the first: one before it, and as many behind.
            call.ints(&vec![1; 2 * axes]);
            let made: Vec<i64> = own_dims
                .iter()
                .enumerate()
                .map(|(axis, size)| if axis < 2 { *size } else { size + 2 })
                .collect();
            call.write(own, &made);
        }
        _ => call.unserved(),
    }
}

/// Adds a list of tensors that are read.
fn list(call: &mut Call<'_>, dtype: DType, shapes: &[Vec<i64>], domain: Domain) {
    let layout = call.class.layout();
    let list = shapes
        .iter()
        .map(|shape| {
            let elements = call.elements(dtype, shape, layout, domain);
            Tensor::new(Role::Read, dtype, shape, layout, elements)
        })
        .collect();
    call.push(Argument::Tensors(list));
}

/// Adds how often each of so many elements is repeated, and returns the sum.
fn counts(call: &mut Call<'_>, dtype: DType, count: i64) -> i64 {
    let counts: Vec<i64> = (0..count).map(|_| call.draw.between(0, 3)).collect();
    call.read_numbers(dtype, &[count], &counts);
    counts.iter().sum()
}
