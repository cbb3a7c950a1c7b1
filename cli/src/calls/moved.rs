//! Functions that copy elements to other places, and views.

use aclnn::Tensor;
use aclnn::ops;

use super::function::functions;
use super::operation::{Direct, changed};

functions! {
    cat(tensors: tensors, axis: axis = "0")[Cat] => ops::cat(&tensors, axis);
    stack(tensors: tensors, axis: axis = "0")[Stack] => ops::stack(&tensors, axis);
    repeat(own: tensor, counts: sizes)[Repeat] => Direct(|| own.repeat(&counts));
    repeat_interleave(own: tensor, count: size, axis: axis = "-1")[RepeatInterleaveInt RepeatInterleaveIntWithDim] =>
        Direct(|| own.repeat_interleave(count, axis));
    repeat_interleave_each(own: tensor, counts: tensor, axis: axis = "-1")
        [RepeatInterleave RepeatInterleaveWithDim RepeatInterleaveTensor] =>
        Direct(|| own.repeat_interleave_each(counts, axis));
    pad(own: tensor, pads: pairs, mode: pad_mode = "0")
        [ConstantPadNd ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d
            ReplicationPad3d CircularPad2d CircularPad3d] => Direct(|| own.pad(&pads, mode));
    pad_backward(gradient: tensor, own: tensor, pads: pairs, mode: pad_mode = "0")
        [ReflectionPad1dBackward ReflectionPad2dBackward ReflectionPad3dBackward ReplicationPad1dBackward
            ReplicationPad2dBackward ReplicationPad3dBackward CircularPad2dBackward CircularPad3dBackward] =>
        Direct(|| ops::pad_backward(gradient, own, &pads, mode));
    windows_backward(gradient: tensor, shape: sizes, axis: axis = "-1", step: size = "1")[UnfoldGrad] =>
        Direct(|| ops::windows_backward(gradient, &shape[..], axis, step));
    flip(own: tensor, axes: ints)[Flip] => Direct(|| own.flip(&axes));
    roll(own: tensor, shifts: ints, axes: ints)[Roll] =>
        Direct(|| own.roll_axes(&axes.into_iter().zip(shifts).collect::<Vec<_>>()));
    channel_shuffle(own: tensor, groups: size)[ChannelShuffle] => Direct(|| own.channel_shuffle(groups));
    tril(own: tensor, diagonal: i64 = "0")[Tril] => Direct(|| own.tril(diagonal));
    triu(own: tensor, diagonal: i64 = "0")[Triu] => Direct(|| own.triu(diagonal));
    tril_in_place(own: target, diagonal: i64 = "0")[InplaceTril] => changed(own, |own| own.tril_in_place(diagonal));
    triu_in_place(own: target, diagonal: i64 = "0")[InplaceTriu] => changed(own, |own| own.triu_in_place(diagonal));
    diag(own: tensor, diagonal: i64 = "0")[Diag] => Direct(|| own.diag(diagonal));
    diag_flat(own: tensor, diagonal: i64 = "0")[DiagFlat] => Direct(|| own.diag_flat(diagonal));
    fill_diagonal_in_place(own: target, value: value, wrap: bool = "false")[InplaceFillDiagonal] =>
        changed(own, |own| own.fill_diagonal_in_place(value, wrap));
    im2col(
        own: tensor, kernel: pair, dilation: pair = "1,1", padding: pair = "0,0", stride: pair = "1,1"
    )[Im2col] => {
        let columns = ops::im2col(own, kernel).dilation(dilation).padding(padding).stride(stride);
        Direct(move || columns.run())
    };
    slice(own: tensor, axis: axis, start: i64 = "0", end: optional_int, step: size = "1")[Slice SliceV2 StridedSlice] =>
        Direct(|| match end {
            Some(end) => own.slice_step(axis, start..end, step),
            None => own.slice_step(axis, start.., step),
        });
    permute(own: tensor, axes: ints)[Permute] => Direct(|| own.permute(&axes));
    transpose(own: tensor, first: axis = "-2", second: axis = "-1")[] => Direct(|| own.transpose(first, second));
    reshape(own: tensor, shape: sizes)[] => Direct(|| own.reshape(&shape[..]));
    flatten(own: tensor, first: axis = "0", last: axis = "-1")[Flatten] => Direct(|| own.flatten(first, last));
    broadcast_to(own: tensor, shape: sizes)[Expand] => Direct(|| own.broadcast_to(&shape[..]));
    split(own: tensor, size: size, axis: axis = "0")[SplitTensor] =>
        Direct(|| Ok(own.split(axis, size)?.collect::<Vec<Tensor>>()));
    split_with_sizes(own: tensor, sizes: sizes, axis: axis = "0")[SplitWithSize] =>
        Direct(|| own.split_with_sizes(axis, &sizes));
    copy(own: tensor)[] => Direct(|| own.copy());
    copy_from(own: target, source: tensor)[InplaceCopy InplaceFillTensor] => changed(own, |own| own.copy_from(source));
}
