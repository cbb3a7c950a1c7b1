//! The plan of a network: which operands hold what, and what is written of all that its run leaves.

use cann_kernels::LaneFunction;
use cann_kernels::networks::recurrent::{
    Cell, Gradients, Grads, Layers, Mask, NetworkGrads, NetworkResults, Sizes, Traced, Weights,
};

use crate::operators::call::Plan;
use crate::operators::whole_stage::WholeStage;

/// The operand that says which steps are there.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::operators) enum MaskKind {
    None,
    /// An operand of i64, the numbers of sequences.
    Counts,
    /// An operand with an element for each of the states.
    Elements,
}

/// A network, and which operands its plan reads, in this order: the input, the weights of each direction of each layer with its
/// biases, the states before the first step, and the mask.
#[derive(Clone, Copy)]
pub(in crate::operators) struct Network {
    pub(in crate::operators) cell: Cell,
    pub(in crate::operators) sizes: Sizes,
    pub(in crate::operators) layers: usize,
    pub(in crate::operators) directions: usize,
    /// Whether the first direction begins with the last step.
    pub(in crate::operators) is_reversed: bool,
    /// Biases of each direction of each layer.
    pub(in crate::operators) biases: usize,
    /// Which of the states before the first step are there.
    pub(in crate::operators) initial: [bool; 2],
    pub(in crate::operators) mask: MaskKind,
    /// The block of rows of weights and biases that each gate has.
    pub(in crate::operators) order: [usize; 4],
}

/// A tensor of the steps of one direction of one layer.
#[derive(Clone, Copy)]
pub(in crate::operators) enum Kept {
    Gate(usize),
    Hidden,
    Cell,
    /// The hyperbolic tangents of the states of cells.
    Bent,
}

/// A result of a network.
#[derive(Clone, Copy)]
pub(in crate::operators) enum Made {
    /// The states that the last layer shows.
    Shown,
    /// The last states of all directions of all layers: hidden ones or those of cells.
    Last(usize),
    /// A tensor of a direction of a layer, by its number.
    Kept(usize, Kept),
}

/// A gradient of a network.
#[derive(Clone, Copy)]
pub(in crate::operators) enum Gradient {
    Input,
    /// That of the first states, of all directions of all layers: hidden ones or those of cells.
    Initial(usize),
    /// That of a weight of a direction of a layer, for the input or for the hidden state.
    Weight(usize, usize),
    /// That of a bias, likewise.
    Bias(usize, usize),
}

/// Gates in the order in which kernels have them.
pub(in crate::operators) const IN_ORDER: [usize; 4] = [0, 1, 2, 3];

impl Network {
    /// The plan of a network, which writes what `made` says to the outputs.
    pub(in crate::operators) fn forward(self, stage: WholeStage, made: Vec<Made>) -> Plan {
        let network = self;
        let body = LaneFunction::new("network", move |_, inputs, outputs| {
            let (blocks, rest) = (Blocks::of(&network, inputs)?, network.rest(inputs));
            let layers = network.layers(inputs, &blocks, rest);
            let results = layers.run()?;
            for (made, output) in made.iter().zip(outputs) {
                network.put(&layers, &results, *made, bytemuck::cast_slice_mut(output));
            }
            Ok(())
        });
        stage.plan(body)
    }

    /// The plan of the gradients of a network. Behind its operands it reads the gradients for what is shown and for the last
    /// states, as far as they are `given`, and then the tensors of each of `kept`, one for each direction of each layer.
    pub(in crate::operators) fn backward(
        self,
        stage: WholeStage,
        given: [bool; 3],
        kept: &'static [Kept],
        wanted: Vec<Gradient>,
    ) -> Plan {
        let network = self;
        let body = LaneFunction::new("network gradient", move |_, inputs, outputs| {
            let (blocks, rest) = (Blocks::of(&network, inputs)?, network.rest(inputs));
            let layers = network.layers(inputs, &blocks, rest);
            let mut rest =
                rest.iter().skip(network.others()).map(|lane| bytemuck::cast_slice::<u8, f32>(lane));
            let [shown, hidden, cell] = given.map(|is_given| if is_given { rest.next() } else { None });
            let none: &[f32] = &[];
            let blank = Traced { hidden: none, gates: [none; 4], cells: [none; 2] };
            let mut traced = vec![blank; network.count()];
            for part in kept {
                for (traced, tensor) in traced.iter_mut().zip(&mut rest) {
                    match part {
                        Kept::Gate(gate) => traced.gates[*gate] = tensor,
                        Kept::Hidden => traced.hidden = tensor,
                        Kept::Cell => traced.cells[0] = tensor,
                        Kept::Bent => traced.cells[1] = tensor,
                    }
                }
            }
            let made = layers.gradients(&traced, &Grads { shown, states: [hidden, cell] })?;
            for (wanted, output) in wanted.iter().zip(outputs) {
                network.put_gradient(&made, *wanted, bytemuck::cast_slice_mut(output));
            }
            Ok(())
        });
        stage.plan(body)
    }
}

/// The weights and biases whose gates are in another order, in the order of kernels.
struct Blocks(Vec<Vec<f32>>);

impl Blocks {
    fn of(network: &Network, inputs: &[&[u8]]) -> cann_kernels::Result<Self> {
        if network.order == IN_ORDER {
            return Ok(Self(Vec::new()));
        }
        let weights = inputs.iter().skip(1).take(network.weights()).map(|lane| {
            let from: &[f32] = bytemuck::cast_slice(lane);
            let mut to = cann_kernels::allocation::zeros::<f32>(from.len())?;
            let size = from.len() / network.cell.gates();
            for (to, block) in to.chunks_exact_mut(size.max(1)).zip(network.order) {
                to.copy_from_slice(&from[block * size..][..size]);
            }
            Ok(to)
        });
        weights.collect::<cann_kernels::Result<_>>().map(Self)
    }
}

impl Network {
    /// Directions of all layers.
    fn count(&self) -> usize {
        self.layers * self.directions
    }

    /// Weights and biases of all layers.
    fn weights(&self) -> usize {
        self.count() * (2 + self.biases)
    }

    /// States and masks that are read.
    fn others(&self) -> usize {
        self.initial.iter().filter(|is_there| **is_there).count() + usize::from(self.mask != MaskKind::None)
    }

    /// The inputs behind the weights.
    fn rest<'i, 'l>(&self, inputs: &'i [&'l [u8]]) -> &'i [&'l [u8]] {
        inputs.get(1 + self.weights()..).unwrap_or_default()
    }

    fn layers<'l>(&self, inputs: &[&'l [u8]], blocks: &'l Blocks, rest: &[&'l [u8]]) -> Layers<'l> {
        let lane = |number: usize| inputs.get(number).copied().unwrap_or_default();
        let weight = |number: usize| match blocks.0.get(number) {
            Some(block) => block.as_slice(),
            None => bytemuck::cast_slice(lane(1 + number)),
        };
        let weights = (0..self.count()).map(|number| {
            let first = number * (2 + self.biases);
            let bias = |number: usize| (number < self.biases).then(|| weight(first + 2 + number));
            Weights { input: weight(first), hidden: weight(first + 1), biases: [bias(0), bias(1)] }
        });
        let mut rest = rest.iter().copied();
        let initial = self.initial.map(|is_there| if is_there { rest.next() } else { None });
        let mask = match self.mask {
            MaskKind::None => Mask::None,
            MaskKind::Counts => Mask::Counts(bytemuck::cast_slice(rest.next().unwrap_or_default())),
            MaskKind::Elements => Mask::Elements(bytemuck::cast_slice(rest.next().unwrap_or_default())),
        };
        Layers {
            cell: self.cell,
            sizes: self.sizes,
            directions: self.directions,
            is_reversed: self.is_reversed,
            x: bytemuck::cast_slice(lane(0)),
            weights: weights.collect(),
            initial: initial.map(|state| state.map(bytemuck::cast_slice)),
            mask,
        }
    }

    fn put(&self, layers: &Layers<'_>, results: &NetworkResults, made: Made, to: &mut [f32]) {
        match made {
            Made::Shown => to.copy_from_slice(&results.shown),
            Made::Last(state) => {
                let size = self.sizes.batches * self.sizes.hidden;
                let traces = results.traces.iter().enumerate();
                for ((number, trace), to) in traces.zip(to.chunks_exact_mut(size.max(1))) {
                    let states = if state == 0 { &trace.hidden } else { &trace.cell };
                    to.copy_from_slice(layers.last(number, states));
                }
            }
            Made::Kept(number, part) => {
                let Some(trace) = results.traces.get(number) else { return };
                match part {
                    Kept::Gate(gate) => trace.gate(gate, self.sizes.hidden, to),
                    Kept::Hidden => to.copy_from_slice(&trace.hidden),
                    Kept::Cell => to.copy_from_slice(&trace.cell),
                    Kept::Bent => trace.bent(to),
                }
            }
        }
    }

    fn put_gradient(&self, made: &NetworkGrads, wanted: Gradient, to: &mut [f32]) {
        let of = |number: usize, get: &dyn Fn(&Gradients) -> &[f32], to: &mut [f32]| {
            let Some(from) = made.of.get(number).map(get) else { return };
            let size = from.len() / self.cell.gates();
            for (from, block) in from.chunks_exact(size.max(1)).zip(self.order) {
                to[block * size..][..size].copy_from_slice(from);
            }
        };
        match wanted {
            Gradient::Input => to.copy_from_slice(&made.x),
            Gradient::Initial(state) => {
                let size = self.sizes.batches * self.sizes.hidden;
                for (made, to) in made.of.iter().zip(to.chunks_exact_mut(size.max(1))) {
                    to.copy_from_slice(&made.initial[state]);
                }
            }
            Gradient::Weight(number, which) => of(number, &|made| &made.weights[which], to),
            Gradient::Bias(number, which) => of(number, &|made| &made.biases[which], to),
        }
    }
}
