//! Attention, its gradients and rotations through the safe layer, beside slow and obvious references in f64.

use aclnn::ops::{self, HeadLayout, PagedCache, PagedSizes, Rotation};
use aclnn::product::Product;
use aclnn::{DType, Device, Error, Tensor, f16};

use crate::support;

type Outcome = Result<(), Error>;

/// Numbers from −1 to 1 that no pattern of an operator resembles.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| (((at * 37 + seed * 11) % 29) as f32 - 14.0) / 14.0).collect()
}

fn close(got: &[f32], wanted: &[f64]) {
    assert_eq!(got.len(), wanted.len());
    for (got, wanted) in got.iter().zip(wanted) {
        assert!((f64::from(*got) - wanted).abs() < 1e-5, "{got} is not {wanted}");
    }
}

/// Attention by the definition; `[batch, head, token, element]`, heads of keys are shared, `seen` tells which keys are.
fn attend(
    [query, key, value]: [&[f32]; 3],
    [batches, heads, shared, queries, keys, size]: [usize; 6],
    scale: f64,
    seen: impl Fn(usize, usize) -> bool,
) -> Vec<f64> {
    let mut out = Vec::new();
    for (batch, head, row) in
        (0..batches * heads * queries).map(|at| (at / queries / heads, at / queries % heads, at % queries))
    {
        let group = (batch * shared + head * shared / heads) * keys;
        let start = ((batch * heads + head) * queries + row) * size;
        let powers: Vec<f64> = (0..keys)
            .map(|at| {
                let products =
                    (0..size).map(|i| f64::from(query[start + i]) * f64::from(key[(group + at) * size + i]));
                if seen(row, at) { (products.sum::<f64>() * scale).exp() } else { 0.0 }
            })
            .collect();
        let total: f64 = powers.iter().sum();
        for i in 0..size {
            let sum: f64 = powers
                .iter()
                .enumerate()
                .map(|(at, power)| power * f64::from(value[(group + at) * size + i]))
                .sum();
            out.push(if total == 0.0 { 0.0 } else { sum / total });
        }
    }
    out
}

#[test]
fn attention_weights_values_by_how_well_keys_match() -> Outcome {
    let device = Device::open(0)?;
    if support::skips_on(
        &device,
        Product::Ascend950,
        "it has no operator of attention to which lengths are given",
    ) {
        return Ok(());
    }
    let sizes @ [batches, heads, shared, queries, keys, size] = [2, 4, 2, 3, 5, 8];
    let (q, k, v) = (numbers(192, 1), numbers(160, 2), numbers(160, 3));
    let query = Tensor::from_slice(&device, &q, [batches, heads, queries, size])?;
    let [key, value] = [&k, &v].map(|all| Tensor::from_slice(&device, all, [batches, shared, keys, size]));
    let (key, value) = (key?, value?);
    let all = [&q[..], &k, &v];
    let scale = 1.0 / (size as f64).sqrt();
    let attention = ops::attention(&query, &key, &value);
    close(&attention.run()?.to_vec::<f32>()?, &attend(all, sizes, scale, |_, _| true));
    close(&attention.clone().scale(0.5).run()?.to_vec::<f32>()?, &attend(all, sizes, 0.5, |_, _| true));
    close(
        &attention.clone().causal().run()?.to_vec::<f32>()?,
        &attend(all, sizes, scale, |row, key| key <= row),
    );
    // The second query sees nothing.
    let hides = |row: usize, key: usize| row == 1 || key == 2;
    let mask: Vec<bool> = (0..queries * keys).map(|at| hides(at / keys, at % keys)).collect();
    let mask = Tensor::from_slice(&device, &mask, [queries, keys])?;
    let both = attention.clone().mask(&mask).causal();
    close(
        &both.run()?.to_vec::<f32>()?,
        &attend(all, sizes, scale, |row, key| key <= row && !hides(row, key)),
    );
    let bias = Tensor::full(&device, [1, heads, 1, keys], f32::NEG_INFINITY, DType::F32)?;
    assert_eq!(attention.clone().bias(&bias).run()?.to_vec::<f32>()?, vec![0.0; q.len()]);
    // Weights that are dropped count nothing, and those that are kept one over their share.
    let bits = Tensor::from_slice(&device, &[0u8; 15], [15])?;
    assert_eq!(attention.clone().dropout(&bits, 0.5).run()?.to_vec::<f32>()?, vec![0.0; q.len()]);
    let bits = Tensor::from_slice(&device, &[255u8; 15], [15])?;
    let doubled: Vec<f64> =
        attend(all, sizes, scale, |_, _| true).into_iter().map(|value| 2.0 * value).collect();
    close(&attention.clone().dropout(&bits, 0.5).run()?.to_vec::<f32>()?, &doubled);
    // The same in every layout.
    let expected = attention.run()?;
    let by_token = |tensor: &Tensor| tensor.transpose(1, 2);
    let [q2, k2, v2] = [&query, &key, &value].map(by_token);
    let (q2, k2, v2) = (q2?, k2?, v2?);
    let out = ops::attention(&q2, &k2, &v2).layout(HeadLayout::Bsnd).run()?;
    assert_eq!(by_token(&out)?.to_vec::<f32>()?, expected.to_vec::<f32>()?);
    let flat = |tensor: &Tensor| {
        let [batch, tokens, heads, size] = *tensor.dims() else { unreachable!() };
        tensor.copy()?.reshape([batch, tokens, heads * size])
    };
    let (q3, k3, v3) = (flat(&q2)?, flat(&k2)?, flat(&v2)?);
    let out3 = ops::attention(&q3, &k3, &v3).layout(HeadLayout::Bsh { heads }).run()?;
    assert_eq!(out3.to_vec::<f32>()?, flat(&out)?.to_vec::<f32>()?);
    let first = |tensor: &Tensor| tensor.transpose(0, 1);
    let (q4, k4, v4) = (first(&q3)?, first(&k3)?, first(&v3)?);
    let out4 = ops::attention(&q4, &k4, &v4).layout(HeadLayout::Sbh { heads }).run()?;
    assert_eq!(first(&out4)?.to_vec::<f32>()?, out3.to_vec::<f32>()?);
    let half =
        ops::attention(&query.cast(DType::F16)?, &key.cast(DType::F16)?, &value.cast(DType::F16)?).run()?;
    assert_eq!(half.dtype(), DType::F16);
    assert!((half.to_vec::<f16>()?[0].to_f32() - expected.to_vec::<f32>()?[0]).abs() < 1e-2);
    // The operator for inference, for one query less in the second batch, and two keys less.
    let [q5, k5, v5] = [&query, &key, &value].map(|tensor| tensor.cast(DType::F16));
    let (q5, k5, v5) = (q5?, k5?, v5?);
    let inferred = ops::attention(&q5, &k5, &v5);
    let (whole, log_sum) = inferred.run_with_log_sum()?;
    assert_eq!(whole.to_vec::<f16>()?, half.to_vec::<f16>()?);
    assert_eq!(log_sum.dims(), [batches, heads, queries, 1]);
    let short = inferred.lengths(&[3, 2], &[5, 3]).run()?;
    let of_second = attend(all, sizes, scale, |_, key| key < 3);
    for (at, (short, wanted)) in short.to_vec::<f16>()?.iter().zip(of_second).enumerate().skip(q.len() / 2) {
        let is_there = at / size % queries < 2;
        let distance = f64::from(short.to_f32()) - if is_there { wanted } else { 0.0 };
        assert!(distance.abs() < 5e-3 && (is_there || distance == 0.0), "element {at}: {short}");
    }
    // No keys, and no queries.
    let [none, empty] = [[2, 2, 0, 8], [2, 4, 0, 8]].map(|dims| Tensor::zeros(&device, dims, DType::F32));
    let (none, empty) = (none?, empty?);
    assert_eq!(ops::attention(&query, &none, &none).run()?.to_vec::<f32>()?, vec![0.0; q.len()]);
    assert_eq!(ops::attention(&empty, &key, &value).run()?.dims(), [2, 4, 0, 8]);
    Ok(())
}

/// Differences of the results for operands that are a little more and less.
#[test]
fn gradients_of_attention_are_differences_of_its_results() -> Outcome {
    let device = Device::open(0)?;
    let sizes = [1, 2, 1, 3, 4, 8];
    let all = [numbers(48, 1), numbers(32, 2), numbers(32, 3)];
    let dy = numbers(48, 4);
    let dims = [[1, 2, 3, 8], [1, 1, 4, 8], [1, 1, 4, 8]];
    let tensor = |at: usize| Tensor::from_slice(&device, &all[at], dims[at]);
    let (query, key, value) = (tensor(0)?, tensor(1)?, tensor(2)?);
    let bias = Tensor::zeros(&device, [1, 2, 3, 4], DType::F32)?;
    let attention = ops::attention(&query, &key, &value).bias(&bias).scale(0.5).causal();
    let grads =
        attention.backward(&attention.run_for_gradients()?, &Tensor::from_slice(&device, &dy, dims[0])?)?;
    let loss = |all: &[Vec<f32>; 3]| -> f64 {
        let out = attend([&all[0], &all[1], &all[2]], sizes, 0.5, |row, key| key <= row);
        out.iter().zip(&dy).map(|(out, dy)| out * f64::from(*dy)).sum()
    };
    for (at, grad) in [grads.query, grads.key, grads.value].into_iter().enumerate() {
        for (number, grad) in grad.to_vec::<f32>()?.into_iter().enumerate() {
            let [mut more, mut less] = [all.clone(), all.clone()];
            more[at][number] += 1.0 / 256.0;
            less[at][number] -= 1.0 / 256.0;
            let slope = (loss(&more) - loss(&less)) * 128.0;
            assert!(
                (f64::from(grad) - slope).abs() < 1e-4,
                "operand {at}, element {number}: {grad}, not {slope}"
            );
        }
    }
    let sums = grads.bias.expect("each query has its own").sum([-1])?.to_vec::<f32>()?;
    assert!(sums.iter().all(|sum| sum.abs() < 1e-6), "what weights gain together is nothing: {sums:?}");
    Ok(())
}

#[test]
fn rotations_keep_the_length_of_pairs_and_turn_back() -> Outcome {
    let device = Device::open(0)?;
    let x = Tensor::from_slice(&device, &numbers(96, 1), [2, 3, 2, 8])?;
    let angles: Vec<f64> = (0..24).map(|at| (at / 8) as f64 * 0.3f64.powi(at % 4)).collect();
    let [cos, sin] = [f64::cos, f64::sin].map(|of| {
        let numbers: Vec<f32> = angles.iter().map(|angle| of(*angle) as f32).collect();
        Tensor::from_slice(&device, &numbers, [1, 3, 1, 8])
    });
    let (cos, sin) = (cos?, sin?);
    let turned = x.rotary_embedding(&cos, &sin, Rotation::Half)?;
    let back = turned.rotary_embedding(&cos, &sin.neg()?, Rotation::Half)?;
    let wanted: Vec<f64> = x.to_vec::<f32>()?.into_iter().map(f64::from).collect();
    close(&back.to_vec::<f32>()?, &wanted);
    // The gradient turns back too.
    let grads = ops::rotary_embedding_backward(&turned, &cos, &sin, Some(&x), Rotation::Half)?;
    close(&grads.input.to_vec::<f32>()?, &wanted);
    let (dcos, dsin) = grads.angles.expect("the elements are known");
    assert_eq!((dcos.dims(), dsin.dims()), (cos.dims(), sin.dims()));
    Ok(())
}

#[test]
fn attention_refuses_operands_that_do_not_fit() -> Outcome {
    let device = Device::open(0)?;
    if support::skips_on(
        &device,
        Product::Ascend950,
        "it has no operator of attention to which lengths are given",
    ) {
        return Ok(());
    }
    let of = |dims: [usize; 4], dtype| Tensor::zeros(&device, dims, dtype);
    let query = of([1, 4, 3, 8], DType::F32)?;
    let key = of([1, 2, 5, 8], DType::F32)?;
    let refused = |result: Result<Tensor, Error>, word: &str| {
        let message = result.expect_err("it does not fit").to_string();
        assert!(message.contains(word) && message.contains("attention"), "{message}");
    };
    refused(ops::attention(&query, &of([1, 3, 5, 8], DType::F32)?, &key).run(), "must have the same batches");
    refused(ops::attention(&query, &key, &of([1, 2, 4, 8], DType::F32)?).run(), "must have the same batches");
    refused(ops::attention(&query, &key, &of([1, 2, 5, 8], DType::F16)?).run(), "value is f16");
    refused(
        ops::attention(&query, &key, &key).layout(HeadLayout::Bsh { heads: 2 }).run(),
        "query has other axes",
    );
    refused(
        ops::attention(&query, &key, &key).mask(&of([1, 1, 3, 4], DType::Bool)?).run(),
        "mask does not fit",
    );
    refused(ops::attention(&query, &key, &key).mask(&of([1, 1, 3, 5], DType::F32)?).run(), "mask is f32");
    refused(
        ops::attention(&query, &key, &key).bias(&of([2, 4, 3, 5], DType::F32)?).run(),
        "bias does not fit",
    );
    refused(
        ops::attention(&query, &key, &key).dropout(&of([1, 1, 1, 7], DType::U8)?, 0.5).run(),
        "60 weights",
    );
    let half = of([1, 4, 3, 8], DType::F16)?;
    refused(ops::attention(&half, &half, &half).lengths(&[1, 2], &[3]).run(), "no lengths of 1 batches");
    refused(ops::attention(&half, &half, &half).lengths(&[4], &[3]).run(), "at most 3 tokens");
    let known = ops::attention(&half, &half, &half).lengths(&[1], &[3]).run_for_gradients();
    refused(known.map(|outputs| outputs.out), "no gradients with lengths");
    let bools = of([1, 4, 3, 8], DType::Bool)?;
    assert!(matches!(ops::attention(&bools, &bools, &bools).run(), Err(Error::Unsupported { .. })));
    let turned = query.rotary_embedding(&key, &key, Rotation::Half);
    assert!(matches!(turned, Err(Error::Argument { .. })));
    // Elements that are turned together come in pairs, or in quarters.
    for (size, rotation, multiple) in
        [(7, Rotation::Half, 2), (7, Rotation::Interleaved, 2), (6, Rotation::Quarter, 4)]
    {
        let odd = of([1, 3, 1, size], DType::F32)?;
        for result in [
            odd.rotary_embedding(&odd, &odd, rotation),
            ops::rotary_embedding_backward(&odd, &odd, &odd, None, rotation).map(|grads| grads.input),
        ] {
            let Err(Error::Argument { .. }) = &result else { panic!("{rotation:?}: {result:?}") };
            let message = result.expect_err("it is odd").to_string();
            assert!(message.contains(&format!("a multiple of {multiple}")), "{message}");
        }
    }
    Ok(())
}

/// Whether the device that serves has block tables; elsewhere the calling test is skipped.
fn has_block_tables(device: &Device) -> bool {
    let query = Tensor::zeros(device, [1, 1, 1, 16], DType::F16)
        .and_then(|query| ops::attention(&query, &query, &query).lengths(&[1], &[1]).run());
    if matches!(query, Err(Error::Unsupported { .. })) {
        support::skipped("the product has no operator of attention with block tables");
        return false;
    }
    true
}

#[test]
fn sequences_in_one_cache_attend_to_their_own_tokens() -> Outcome {
    let device = Device::open(0)?;
    if !has_block_tables(&device) {
        return Ok(());
    }
    let (heads, shared, size) = (4, 2, 16);
    let sizes = PagedSizes { layers: 2, blocks: 6, block_size: 16, heads: shared, elements: size };
    let mut cache = PagedCache::new(&device, DType::F16, sizes)?;
    let rounded = |count, seed| {
        numbers(count, seed).into_iter().map(|x| f16::from_f32(x).to_f32()).collect::<Vec<f32>>()
    };
    let (first, second) = (cache.add(), cache.add());
    // All tokens of each sequence so far: keys and values of the second layer.
    let mut known = [(first, vec![], vec![]), (second, vec![], vec![])];
    for (round, parts) in [vec![(first, 20), (second, 3)], vec![(second, 14)], vec![(second, 1), (first, 1)]]
        .into_iter()
        .enumerate()
    {
        let count = parts.iter().map(|(_, tokens)| tokens).sum::<usize>();
        let (q, k, v) = (
            rounded(count * heads * size, round),
            rounded(count * shared * size, round + 7),
            rounded(count * shared * size, round + 9),
        );
        let make =
            |all: &[f32], heads| Tensor::from_slice(&device, all, [count, heads, size])?.cast(DType::F16);
        let (query, key, value) = (make(&q, heads)?, make(&k, shared)?, make(&v, shared)?);
        let step = cache.extend(&parts)?;
        assert_eq!(step.tokens(), count);
        // The first layer holds something else.
        let written = cache.write(0, &value, &key, &step);
        if support::is_missing(&device, &written) {
            support::skipped("the product has no operator that writes to the blocks of a cache");
            return Ok(());
        }
        written?;
        cache.write(1, &key, &value, &step)?;
        let out = cache.attention(1, &query, None, &step)?.cast(DType::F32)?.to_vec::<f32>()?;
        let mut at = 0;
        for (id, tokens) in parts {
            let (_, keys, values) =
                known.iter_mut().find(|(other, ..)| *other == id).expect("it is one of two");
            keys.extend_from_slice(&k[at * shared * size..(at + tokens) * shared * size]);
            values.extend_from_slice(&v[at * shared * size..(at + tokens) * shared * size]);
            let all = keys.len() / shared / size;
            // The reference takes heads before tokens.
            let turned = |all: &[f32], heads: usize| -> Vec<f32> {
                let count = all.len() / heads / size;
                let places =
                    (0..heads).flat_map(|head| (0..count).map(move |token| (token * heads + head) * size));
                places.flat_map(|place| all[place..place + size].to_vec()).collect()
            };
            let own = &q[at * heads * size..(at + tokens) * heads * size];
            let wanted = attend(
                [&turned(own, heads), &turned(keys, shared), &turned(values, shared)],
                [1, heads, shared, tokens, all, size],
                0.25,
                |row, key| key <= all - tokens + row,
            );
            let wanted: Vec<f32> = wanted.iter().map(|x| *x as f32).collect();
            let got = turned(&out[at * heads * size..(at + tokens) * heads * size], heads);
            for (got, wanted) in got.iter().zip(&wanted) {
                assert!((got - wanted).abs() < 1e-3, "{got} is not {wanted}");
            }
            assert_eq!(got.len(), wanted.len());
            at += tokens;
        }
    }
    assert_eq!(cache.tokens(first), Some(21));
    assert_eq!(cache.free_blocks(), 2);
    for (id, keys, values) in known {
        let (key, value) = cache.read(1, id)?;
        assert_eq!(key.dims(), [keys.len() / shared / size, shared, size]);
        assert_eq!(key.cast(DType::F32)?.to_vec::<f32>()?, keys);
        assert_eq!(value.cast(DType::F32)?.to_vec::<f32>()?, values);
        assert!(cache.read(2, id).is_err());
        cache.remove(id);
        assert!(cache.read(1, id).is_err());
    }
    let empty = cache.add();
    assert_eq!(cache.read(0, empty)?.0.dims(), [0, shared, size]);
    Ok(())
}

#[test]
fn a_cache_gives_each_block_to_one_sequence_and_refuses_what_has_no_place() -> Outcome {
    let device = Device::open(0)?;
    let sizes = PagedSizes { layers: 1, blocks: 3, block_size: 16, heads: 1, elements: 16 };
    let mut cache = PagedCache::new(&device, DType::F16, sizes)?;
    let (first, second) = (cache.add(), cache.add());
    cache.extend(&[(first, 17)])?;
    // Nothing grows where one of them does not fit.
    let error = cache.extend(&[(first, 1), (second, 17)]).unwrap_err();
    assert!(error.to_string().contains("2 more blocks are needed, and 1 are free"), "{error}");
    assert_eq!((cache.tokens(first), cache.tokens(second), cache.free_blocks()), (Some(17), Some(0), 1));
    for wrong in [vec![], vec![(first, 0)], vec![(first, 1), (first, 1)]] {
        assert!(matches!(cache.extend(&wrong), Err(Error::Argument { .. })));
    }
    assert!(cache.remove(first));
    assert!(!cache.remove(first));
    assert_eq!((cache.tokens(first), cache.free_blocks()), (None, 3));
    assert!(cache.extend(&[(first, 1)]).is_err());
    let step = cache.extend(&[(second, 2)])?;
    let one = Tensor::zeros(&device, [1, 1, 16], DType::F16)?;
    let wide = Tensor::zeros(&device, [2, 1, 16], DType::F32)?;
    for wrong in [&one, &wide] {
        assert!(cache.write(0, wrong, wrong, &step).is_err());
        assert!(cache.attention(0, wrong, None, &step).is_err());
    }
    let fits = Tensor::zeros(&device, [2, 1, 16], DType::F16)?;
    assert!(cache.write(1, &fits, &fits, &step).is_err());
    // A step is of the cache that made it, until sequences change.
    let mut other = PagedCache::new(&device, DType::F16, sizes)?;
    assert!(other.write(0, &fits, &fits, &step).is_err());
    assert!(!other.remove(second));
    cache.extend(&[(second, 1)])?;
    assert!(cache.write(0, &fits, &fits, &step).is_err());
    assert!(PagedCache::new(&device, DType::F32, sizes).is_err());
    assert!(PagedCache::new(&device, DType::F16, PagedSizes { block_size: 20, ..sizes }).is_err());
    Ok(())
}

/// Rotates the pairs of a head by their cosines and sines. `places` gives the places of a pair, and where its results go.
fn rotated(head: &[f32], angles: &[(f32, f32)], places: impl Fn(usize) -> [(usize, usize); 2]) -> Vec<f64> {
    let mut out: Vec<f64> = head.iter().map(|x| f64::from(*x)).collect();
    for (pair, (cos, sin)) in angles.iter().enumerate() {
        let [(first, to_first), (second, to_second)] = places(pair);
        let [a, b, cos, sin] = [head[first], head[second], *cos, *sin].map(f64::from);
        out[to_first] = a * cos - b * sin;
        out[to_second] = b * cos + a * sin;
    }
    out
}

#[test]
fn heads_are_rotated_by_the_angles_of_their_positions() -> Outcome {
    let device = Device::open(0)?;
    let (tokens, size, pairs) = (3, 32, 8);
    // Queries of two heads and keys of one, as parts of one row of each token.
    let all = numbers(tokens * 4 * size, 5);
    let wide = Tensor::from_slice(&device, &all, [tokens, 4, size])?;
    let (query, key) = (wide.slice(1, 1..3)?, wide.slice(1, 3..)?);
    let table = numbers(5 * 2 * pairs, 6);
    let angles = Tensor::from_slice(&device, &table, [5, 2 * pairs])?;
    let positions = [4i64, 0, 2];
    let places = Tensor::from_slice(&device, &positions, [tokens])?;
    for rotation in [Rotation::Half, Rotation::Interleaved] {
        let (q, k) = match ops::rotary_by_positions(&query, &key, &places, &angles, rotation) {
            Err(Error::Unsupported { .. }) => {
                support::skipped("the product has no operator of rotations by positions");
                return Ok(());
            }
            rotated => rotated?,
        };
        let place = |pair: usize| match rotation {
            Rotation::Half => [(pair, pair), (pair + pairs, pair + pairs)],
            _ => [(2 * pair, 2 * pair), (2 * pair + 1, 2 * pair + 1)],
        };
        let expected = |heads: std::ops::Range<usize>| {
            let rows = (0..tokens).flat_map(|token| heads.clone().map(move |head| (token, head)));
            rows.flat_map(|(token, head)| {
                let row = &table[positions[token] as usize * 2 * pairs..][..2 * pairs];
                let own: Vec<_> = row[..pairs].iter().copied().zip(row[pairs..].iter().copied()).collect();
                rotated(&all[(token * 4 + head) * size..][..size], &own, place)
            })
            .collect::<Vec<f64>>()
        };
        assert_eq!((q.dims(), k.dims()), (&[tokens, 2, size][..], &[tokens, 1, size][..]));
        close(&q.to_vec::<f32>()?, &expected(1..3));
        close(&k.to_vec::<f32>()?, &expected(3..4));
    }
    let refused = |result: Result<(Tensor, Tensor), Error>, part: &str| {
        let message = result.map(drop).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    };
    let of = |dims: &[usize], dtype| Tensor::zeros(&device, dims, dtype);
    let call = |query: &Tensor, key: &Tensor, positions: &Tensor, table: &Tensor| {
        ops::rotary_by_positions(query, key, positions, table, Rotation::Half)
    };
    refused(
        call(&wide.select(1, 0)?, &key, &places, &angles),
        "query is f32 [3, 32], but must have the axes",
    );
    refused(
        call(&query, &key, &places.cast(DType::I32)?, &angles),
        "positions is i32 [3], but must be i64 [3]",
    );
    refused(
        call(&query, &key.slice(0, 1..)?, &places, &angles),
        "key is f32 [2, 1, 32], but must be f32 [3, 1, 32]",
    );
    refused(call(&query, &key, &places, &of(&[5, 24], DType::F32)?), "multiple of 16");
    refused(call(&query, &key, &places, &of(&[5, 48], DType::F32)?), "multiple of 16");
    let (half, few) = (query.cast(DType::F16)?, of(&[5, 16], DType::F16)?);
    refused(call(&half, &key.cast(DType::F16)?, &places, &few), "multiple of 32");
    refused(ops::rotary_by_positions(&query, &key, &places, &angles, Rotation::Quarter), "not half");
    refused(call(&query.slice(1, ..0)?, &key, &places, &angles), "query has no heads");
    let nothing = call(&query.slice(0, ..0)?, &key.slice(0, ..0)?, &places.slice(0, ..0)?, &angles)?;
    assert_eq!((nothing.0.dims(), nothing.1.dims()), (&[0, 2, 32][..], &[0, 1, 32][..]));
    Ok(())
}

#[test]
fn latent_vectors_are_normalised_and_keys_rotated_into_their_slots() -> Outcome {
    let device = Device::open(0)?;
    let (tokens, latent, turned) = (3, 512, 64);
    let half = |dims: &[usize], seed| {
        let all = numbers(dims.iter().product(), seed);
        Tensor::from_slice(&device, &all, dims)?.cast(DType::F16)
    };
    let (states, weight) = (half(&[tokens, latent + turned], 1)?, half(&[latent], 2)?);
    let (cos, sin) = (half(&[tokens, turned], 3)?, half(&[tokens, turned], 4)?);
    let slots = Tensor::from_slice(&device, &[6i64, -1, 1], [tokens])?;
    let mut latents = Tensor::zeros(&device, [2, 4, latent], DType::F16)?;
    let mut keys = Tensor::zeros(&device, [2, 4, turned], DType::F16)?;
    let (normed, rotated_keys) = match ops::latent_keys(&states, &weight, &cos, &sin, &slots)
        .epsilon(1e-6)
        .write(&mut latents, &mut keys)
    {
        Err(Error::Unsupported { .. }) => {
            support::skipped("the product has no operator of latent keys");
            return Ok(());
        }
        written => written?,
    };
    let floats = |tensor: &Tensor| tensor.cast(DType::F32)?.to_vec::<f32>();
    let (all, gamma, of_cos, of_sin) = (floats(&states)?, floats(&weight)?, floats(&cos)?, floats(&sin)?);
    let near = |got: &[f32], wanted: &[f64]| {
        assert_eq!(got.len(), wanted.len());
        for (got, wanted) in got.iter().zip(wanted) {
            assert!((f64::from(*got) - wanted).abs() <= wanted.abs() / 500.0 + 1e-4, "{got} is not {wanted}");
        }
    };
    let (cached, cached_keys) = (floats(&latents)?, floats(&keys)?);
    for (token, slot) in [6, 8, 1].into_iter().enumerate() {
        let (own, key) = all[token * (latent + turned)..][..latent + turned].split_at(latent);
        let square = own.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / latent as f64;
        let factors = own.iter().zip(&gamma);
        let wanted: Vec<f64> =
            factors.map(|(x, weight)| f64::from(*x) * f64::from(*weight) / (square + 1e-6).sqrt()).collect();
        // Each of the halves of the result has angles of its own.
        let angle = |all: &[f32], at: usize| f64::from(all[token * turned + at]);
        let of_key: Vec<f64> = (0..turned)
            .map(|at| {
                let pair = at % (turned / 2);
                let [a, b] = [key[2 * pair], key[2 * pair + 1]].map(f64::from);
                let [own, other] = if at < turned / 2 { [a, -b] } else { [b, a] };
                own * angle(&of_cos, at) + other * angle(&of_sin, at)
            })
            .collect();
        near(&floats(&normed.at(token)?)?, &wanted);
        near(&floats(&rotated_keys.at(token)?)?, &of_key);
        if slot < 8 {
            near(&cached[slot * latent..][..latent], &wanted);
            near(&cached_keys[slot * turned..][..turned], &of_key);
        }
    }
    for slot in [0, 2, 3, 4, 5, 7] {
        assert!(
            cached[slot * latent..][..latent].iter().all(|x| *x == 0.0),
            "nothing is written to slot {slot}"
        );
    }
    // The same rotation of keys alone.
    let key = states.slice(1, latent as i64..)?.reshape([1, 1, tokens, turned]);
    let key =
        key.or_else(|_| states.slice(1, latent as i64..)?.contiguous()?.reshape([1, 1, tokens, turned]))?;
    let (cos, sin) = (cos.reshape([1, 1, tokens, turned])?, sin.reshape([1, 1, tokens, turned])?);
    let alone = key.rotary_embedding(&cos, &sin, Rotation::InterleavedHalf)?;
    assert_eq!(floats(&alone)?, floats(&rotated_keys)?);
    let refused = |result: Result<(Tensor, Tensor), Error>, part: &str| {
        let message = result.map(drop).expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    };
    let (cos, sin) = (half(&[tokens, turned], 3)?, half(&[tokens, turned], 4)?);
    let mut write = |states: &Tensor, cos: &Tensor, slots: &Tensor| {
        ops::latent_keys(states, &weight, cos, &sin, slots).write(&mut latents, &mut keys)
    };
    refused(write(&states.at(0)?, &cos, &slots), "states is f16 [576], but must have the axes");
    refused(write(&states.slice(1, 1..)?, &cos, &slots), "states has 575 elements");
    refused(write(&states, &cos.slice(0, 1..)?, &slots), "cos is f16 [2, 64], but must be f16 [3, 64]");
    refused(write(&states, &cos, &slots.cast(DType::I32)?), "slots is i32 [3], but must be i64 [3]");
    let mut few = Tensor::zeros(&device, [1, 4, turned], DType::F16)?;
    refused(
        ops::latent_keys(&states, &weight, &cos, &sin, &slots).write(&mut latents, &mut few),
        "keys is f16 [1, 4, 64], but must be f16 [2, 4, 64]",
    );
    let both = Tensor::zeros(&device, [2, 4, latent + turned], DType::F16)?;
    let mut parts = [both.slice(2, ..latent as i64)?, both.slice(2, latent as i64 - 1..-1)?];
    let [first, second] = &mut parts;
    let overlapping = ops::latent_keys(&states, &weight, &cos, &sin, &slots).write(first, second);
    assert!(matches!(overlapping, Err(Error::Overlap { .. } | Error::Argument { .. })), "{overlapping:?}");
    // Without tokens there is nothing to write.
    let none = |tensor: &Tensor| tensor.slice(0, ..0);
    let made = ops::latent_keys(&none(&states)?, &weight, &none(&cos)?, &none(&sin)?, &none(&slots)?)
        .write(&mut latents, &mut keys)?;
    assert_eq!((made.0.dims(), made.1.dims()), (&[0, latent][..], &[0, turned][..]));
    assert_eq!(floats(&latents)?, cached);
    if device.product() == Some(Product::Ascend950) {
        let mut caches = [8, 8].map(|size| Tensor::zeros(&device, [2, 4, size], DType::F16));
        let odd = (half(&[tokens, 15], 1)?, half(&[8], 2)?, half(&[tokens, 7], 3)?);
        let [Ok(latents), Ok(keys)] = &mut caches else { unreachable!("{caches:?}") };
        refused(
            ops::latent_keys(&odd.0, &odd.1, &odd.2, &odd.2, &slots).write(latents, keys),
            "pairs of them are rotated",
        );
        let (states, angles) = (half(&[tokens, 16], 1)?, half(&[tokens, 8], 3)?);
        let mut one = latents.clone();
        refused(
            ops::latent_keys(&states, &odd.1, &angles, &angles, &slots).write(latents, &mut one),
            "keys overlaps latents",
        );
    }
    Ok(())
}
