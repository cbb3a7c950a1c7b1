//! Functions that find elements by indices or by a mask.

use aclnn::Tensor;
use aclnn::ops;

use super::function::functions;
use super::operation::{Direct, changed};

functions! {
    embedding(own: tensor, indices: tensor)[Embedding] => Direct(|| own.embedding(indices));
    embedding_bag(
        own: tensor, indices: tensor, starts: tensor, factors: optional_tensor, mode: bag_mode = "sum", padding: optional_size
    )[EmbeddingBag] => {
        let bag = ops::embedding_bag(own, indices, starts).mode(mode);
        let bag = match padding { Some(row) => bag.padding(row), None => bag };
        let bag = match factors { Some(factors) => bag.factors(factors), None => bag };
        Direct(move || {
            let bags = bag.run()?;
            Ok([bags.rows, bags.bags, bags.sizes].into_iter().chain(bags.greatest).collect::<Vec<_>>())
        })
    };
    embedding_backward(
        grad: tensor, indices: tensor, rows: size, padding: optional_size, scale_by_frequency: bool = "false"
    )[EmbeddingDenseBackward] => {
        let backward = ops::embedding_backward(grad, indices, rows);
        let backward = if scale_by_frequency { backward.scale_by_frequency() } else { backward };
        let backward = match padding { Some(row) => backward.padding(row), None => backward };
        Direct(move || backward.run())
    };
    gather(own: tensor, index: tensor, axis: axis)[Gather] => Direct(|| own.gather(axis, index));
    gather_nd(own: tensor, indices: tensor)[GatherNd] => Direct(|| own.gather_nd(indices));
    take(own: tensor, index: tensor)[Take] => Direct(|| own.take(index));
    take_axis(own: tensor, index: tensor, axis: axis)[GatherV2] => Direct(|| own.take_axis(axis, index));
    index_select(own: tensor, index: tensor, axis: axis)[IndexSelect] => Direct(|| own.index_select(axis, index));
    index(own: tensor, indices: tensors)[Index] => Direct(|| own.index(&present(&indices)));
    index_put(own: tensor, values: tensor, indices: tensors, add: bool = "false")[] => Direct(|| match add {
        true => own.index_put_add(&present(&indices), values),
        false => own.index_put(&present(&indices), values),
    });
    index_put_in_place(own: target, values: tensor, indices: tensors, add: bool = "false")[IndexPutImpl] =>
        changed(own, |own| match add {
            true => own.index_put_add_in_place(&present(&indices), values),
            false => own.index_put_in_place(&present(&indices), values),
        });
    index_add_in_place(own: target, index: tensor, source: tensor, axis: axis)[] =>
        changed(own, |own| own.index_add_in_place(axis, index, source));
    scatter_add_in_place(own: target, index: tensor, src: tensor, axis: axis)[] =>
        changed(own, |own| own.scatter_add_in_place(axis, index, src));
    index_add(own: tensor, index: tensor, source: tensor, axis: axis, alpha: scalar = "1")[IndexAdd] => {
        let sum = ops::index_add(own, axis, index, source).alpha(alpha);
        Direct(move || sum.run())
    };
    index_copy(own: tensor, index: tensor, source: tensor, axis: axis)[IndexCopy] =>
        Direct(|| own.index_copy(axis, index, source));
    index_copy_in_place(own: target, index: tensor, source: tensor, axis: axis)[InplaceIndexCopy] =>
        changed(own, |own| own.index_copy_in_place(axis, index, source));
    index_fill(own: tensor, index: tensor, value: value, axis: axis)[IndexFill] =>
        Direct(|| own.index_fill(axis, index, value));
    index_fill_in_place(own: target, index: tensor, value: value, axis: axis)[InplaceIndexFill] =>
        changed(own, |own| own.index_fill_in_place(axis, index, value));
    index_fill_at(own: tensor, value: value, axis: axis, index: ints)[IndexFillTensor] =>
        Direct(|| own.index_fill_at(axis, &index, value));
    index_fill_at_in_place(own: target, value: value, axis: axis, index: ints)[InplaceIndexFillTensor] =>
        changed(own, |own| own.index_fill_at_in_place(axis, &index, value));
    scatter(own: tensor, index: tensor, src: tensor, axis: axis)[Scatter] => Direct(|| own.scatter(axis, index, src));
    scatter_in_place(own: target, index: tensor, src: tensor, axis: axis)[InplaceScatter] =>
        changed(own, |own| own.scatter_in_place(axis, index, src));
    scatter_value(own: tensor, index: tensor, value: value, axis: axis)[ScatterValue] =>
        Direct(|| own.scatter_value(axis, index, value));
    scatter_value_in_place(own: target, index: tensor, value: value, axis: axis)[InplaceScatterValue] =>
        changed(own, |own| own.scatter_value_in_place(axis, index, value));
    scatter_add(own: tensor, index: tensor, src: tensor, axis: axis)[ScatterAdd] =>
        Direct(|| own.scatter_add(axis, index, src));
    scatter_reduce(
        own: tensor, index: tensor, src: tensor, axis: axis, by: reduction, include_self: bool = "true"
    )[ScatterReduce] => {
        let reduce = ops::scatter_reduce(own, axis, index, src, by);
        let reduce = if include_self { reduce } else { reduce.exclude_self() };
        Direct(move || reduce.run())
    };
    scatter_reduce_in_place(own: target, index: tensor, src: tensor, axis: axis, by: reduction)[InplaceScatterReduce] =>
        changed(own, |own| own.scatter_reduce_in_place(axis, index, src, by));
    scatter_nd(own: tensor, indices: tensor, updates: tensor)[ScatterNd] => Direct(|| own.scatter_nd(indices, updates));
    scatter_nd_in_place(own: target, indices: tensor, updates: tensor)[ScatterNdUpdate] =>
        changed(own, |own| own.scatter_nd_in_place(indices, updates));
    scatter_update_in_place(own: target, indices: tensor, updates: tensor, axis: axis)[InplaceScatterUpdate] =>
        changed(own, |own| own.scatter_update_in_place(axis, indices, updates));
    put(own: tensor, index: tensor, source: tensor, add: bool = "false")[] => Direct(|| match add {
        true => own.put_add(index, source),
        false => own.put(index, source),
    });
    put_in_place(own: target, index: tensor, source: tensor, add: bool = "false")[InplacePut] =>
        changed(own, |own| match add {
            true => own.put_add_in_place(index, source),
            false => own.put_in_place(index, source),
        });
    masked_select(own: tensor, mask: tensor)[MaskedSelect] => Direct(|| own.masked_select(mask));
    masked_fill(own: tensor, mask: tensor, value: operand)[] => Direct(|| own.masked_fill(mask, value));
    masked_fill_in_place(own: target, mask: tensor, value: operand)
        [InplaceMaskedFillScalar InplaceMaskedFillTensor] =>
        changed(own, |own| own.masked_fill_in_place(mask, value));
    masked_scatter(own: tensor, mask: tensor, source: tensor)[] => Direct(|| own.masked_scatter(mask, source));
    masked_scatter_in_place(own: target, mask: tensor, source: tensor)[InplaceMaskedScatter] =>
        changed(own, |own| own.masked_scatter_in_place(mask, source));
    nonzero(own: tensor)[Nonzero] => Direct(|| own.nonzero());
    nonzero_axes(own: tensor)[NonzeroV2] => Direct(|| own.nonzero_axes());
}

fn present<'a>(indices: &[&'a Tensor]) -> Vec<Option<&'a Tensor>> {
    indices.iter().copied().map(Some).collect()
}
