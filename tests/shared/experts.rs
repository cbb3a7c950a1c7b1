//! A layer of experts through the safe layer, beside sums over all experts of each token, written out.

use aclnn::{DType, Device, Error, Tensor, ops};

use crate::support;

/// Numbers from −1 to 1 without a pattern.
fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|at| (((at * 41 + seed * 13) % 31) as f32 - 15.0) / 15.0).collect()
}

#[test]
fn a_layer_of_experts_is_the_sum_of_the_chosen_ones() -> Result<(), Error> {
    let device = Device::open(0)?;
    let [tokens, experts, width, wide, chosen] = [7, 5, 4, 6, 2];
    let (x, scores, weights) =
        (numbers(tokens * width, 1), numbers(tokens * experts, 2), numbers(experts * width * wide, 3));
    let input = Tensor::from_slice(&device, &x, [tokens, width])?;
    let gates = Tensor::from_slice(&device, &scores, [tokens, experts])?;
    let matrices = Tensor::from_slice(&device, &weights, [experts, width, wide])?;
    let (shares, numbers) = match gates.choose_experts(chosen, true) {
        Err(Error::Unsupported { .. }) => {
            support::skipped("the product has no operators of experts");
            return Ok(());
        }
        chosen => chosen?,
    };
    let sorted = input.by_expert(&numbers)?;
    let counts = numbers.reshape([tokens * chosen])?.bincount(experts)?;
    let ends = counts.cumsum(0)?.cast(DType::I64)?;
    let rows = ops::grouped_matmul(&sorted.rows, &matrices, &ends).run()?;
    let out = rows.sum_of_experts(&sorted.places, &shares)?;

    let found = numbers.to_vec::<i32>()?;
    for token in 0..tokens {
        let row = &scores[token * experts..(token + 1) * experts];
        let mut order: Vec<usize> = (0..experts).collect();
        order.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
        let best = &order[..chosen];
        let own: Vec<usize> =
            found[token * chosen..(token + 1) * chosen].iter().map(|one| *one as usize).collect();
        assert_eq!(own, best);
        let powers: Vec<f64> = best.iter().map(|expert| f64::from(row[*expert]).exp()).collect();
        let total: f64 = powers.iter().sum();
        let got = out.select(0, token as i64)?.to_vec::<f32>()?;
        for (column, got) in got.iter().enumerate() {
            let product = |expert: usize| -> f64 {
                (0..width)
                    .map(|k| {
                        f64::from(x[token * width + k])
                            * f64::from(weights[(expert * width + k) * wide + column])
                    })
                    .sum()
            };
            let wanted: f64 =
                best.iter().zip(&powers).map(|(expert, power)| power / total * product(*expert)).sum();
            assert!((f64::from(*got) - wanted).abs() < 1e-5, "{got} is not {wanted}");
        }
    }
    Ok(())
}

#[test]
fn operands_of_experts_that_do_not_fit_are_refused() -> Result<(), Error> {
    let device = Device::open(0)?;
    let tokens = Tensor::zeros(&device, [3, 4], DType::F32)?;
    let experts = Tensor::zeros(&device, [3, 2], DType::I32)?;
    let weights = Tensor::ones(&device, [3, 2], DType::F32)?;
    assert!(tokens.choose_experts(5, false).is_err());
    assert!(tokens.choose_experts(0, false).is_err());
    assert!(tokens.by_expert(&weights).is_err());
    assert!(tokens.by_expert(&experts.slice(0, ..2)?).is_err());
    let places = Tensor::zeros(&device, [6], DType::I32)?;
    assert!(tokens.sum_of_experts(&experts, &weights).is_err());
    assert!(tokens.sum_of_experts(&places, &weights.slice(1, ..1)?).is_err());
    // No tokens are no work.
    let none = tokens.slice(0, ..0)?;
    let (shares, numbers) = match none.choose_experts(2, false) {
        Err(Error::Unsupported { .. }) => return Ok(()),
        chosen => chosen?,
    };
    let sorted = none.by_expert(&numbers)?;
    assert_eq!(sorted.rows.sum_of_experts(&sorted.places, &shares)?.dims(), [0, 4]);
    Ok(())
}
