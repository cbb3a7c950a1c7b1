//! Memory that an operator keeps: one of its cases, called again and again.

use std::cell::OnceCell;

use aclnn_numerics::product::Product;
use anyhow::Result;

use super::answer::Answer;
use super::call::Caller;
use super::case::Class;
use super::cases;
use super::raw::Setting;
use crate::declared::Operator;

/// How often the case is called before memory is counted, and then.
const ROUNDS: usize = 16;

/// Bytes of a call that may have other reasons.
const NOISE: usize = 4096;

/// How many cases are tried until one is taken.
const TRIED: usize = 64;

/// What calls the operators of this process, made when it is first needed.
#[derive(Default)]
pub(super) struct Calls {
    caller: OnceCell<Caller>,
}

impl Calls {
    /// Answers whether repeated calls of an operator leave as much memory free as before.
    pub(super) fn answer(&self, setting: &Setting, operator: &Operator) -> Result<Answer> {
        let product = setting.device.product().unwrap_or(Product::Ascend910B);
        let caller = match self.caller.get() {
            Some(caller) => caller,
            None => {
                let caller = Caller::new(setting.device.id())?;
                self.caller.get_or_init(|| caller)
            }
        };
        let plain = |class| matches!(class, Class::Contiguous | Class::InPlace);
        let cases = cases::of(operator, product).into_iter().filter(|id| plain(id.class));
        for id in cases.take(TRIED) {
            let arguments = cases::arguments(operator, &id, product, 0);
            let call = || caller.call(operator.info.name(), &arguments, 0);
            let first = call()?;
            if let Some(missing) = first.missing {
                return Ok(Answer::skipped(missing));
            }
            if first.codes[2] != 0 {
                return Ok(Answer::skipped(format!("{id} fails on its stream")));
            }
            if first.codes != [0; 3] {
                continue;
            }
            let round = || (0..ROUNDS).try_for_each(|_| call().map(drop));
            round()?;
            let before = setting.free_bytes()?;
            round()?;
            let lost = before.saturating_sub(setting.free_bytes()?);
            return Ok(match lost < ROUNDS * NOISE {
                true => Answer::right(format!("{ROUNDS} calls of {id} kept {lost} bytes")),
                false => Answer::wrong(format!("{ROUNDS} calls of {id} kept {lost} bytes of device memory")),
            });
        }
        Ok(Answer::skipped("none of its first cases is taken"))
    }
}
