//! Gated units of the rows of experts, within a limit.

/// Two halves of a row within a limit, of which one is the gate.
struct Unit {
    gate: f64,
    up: f64,
    sigmoid: f64,
}

impl Unit {
    #[inline(always)]
    fn of([gate, up]: [f64; 2], limit: f64) -> Self {
        // A gate that is NaN stays NaN.
        let gate = if gate > limit { limit } else { gate };
        Self { gate, up: up.clamp(-limit, limit), sigmoid: 1.0 / (1.0 + (-gate).exp()) }
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        self.gate * self.sigmoid * self.up
    }
}

/// Writes the units of a row, whose first half are the gates, times the weight of the row. The limit must not be negative or
/// NaN.
pub fn limited_units(x: &[f32], weight: f64, limit: f64, out: &mut [f32]) {
    let (gates, ups) = x.split_at(x.len() / 2);
    for (out, (gate, up)) in out.iter_mut().zip(gates.iter().zip(ups)) {
        *out = (Unit::of([f64::from(*gate), f64::from(*up)], limit).value() * weight) as f32;
    }
}

/// Writes the gradients of a row by those of its units, `g`; returns that of the weight of the row. The units themselves,
/// `made`, are computed where they are missing.
pub fn limited_unit_gradients([g, x, made]: [&[f32]; 3], weight: f64, limit: f64, out: &mut [f32]) -> f64 {
    let (halves, of_halves) = (x.split_at(x.len() / 2), out.split_at_mut(out.len() / 2));
    let operands = g.iter().zip(halves.0.iter().zip(halves.1));
    let results = of_halves.0.iter_mut().zip(of_halves.1);
    let mut sum = 0.0;
    for (index, ((g, (gate, up)), (of_gate, of_up))) in operands.zip(results).enumerate() {
        let [g, gate, up] = [g, gate, up].map(|x| f64::from(*x));
        let unit = Unit::of([gate, up], limit);
        sum += g * made.get(index).map_or_else(|| unit.value(), |made| f64::from(*made));
        let slope = unit.sigmoid * (1.0 + unit.gate * (1.0 - unit.sigmoid));
        *of_gate = if gate > limit { 0.0 } else { g * weight * unit.up * slope } as f32;
        *of_up = if up.abs() > limit { 0.0 } else { g * weight * unit.gate * unit.sigmoid } as f32;
    }
    sum
}
