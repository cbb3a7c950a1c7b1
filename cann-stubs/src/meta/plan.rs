//! The plan of an operator, which phase one makes; executors of identical calls share it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cann_kernels::{Kernel, Whole};
use smallvec::SmallVec;

use super::address_cache::FoundBefore;
use crate::collective::joint::Exchange;
use crate::sync::BiasedLock;

/// The plan of an operator in the making, as large as a pointer: functions return it in many places.
pub(crate) struct Plan(Box<SharedPlan>);

/// A planned operator. It holds no address, so that it can run again with others.
pub(crate) struct SharedPlan {
    /// Bytes of device memory that the launch asks for.
    pub(crate) workspace: u64,
    /// Whether the library tells that number. If not, it leaves what the caller had.
    pub(crate) is_told: bool,
    /// `None` when there is nothing to compute.
    pub(crate) kernel: Option<Box<Kernel>>,
    /// The tensors of the kernel, in the order of its views.
    pub(crate) tensors: SmallVec<[PlannedTensor; 3]>,
    pub(crate) tasks: Tasks,
    /// What is done instead of a kernel, one part after the other; `tensors` has those of each part.
    pub(crate) parts: Vec<Part>,
    /// Whether an executor of the plan that is not repeatable was launched.
    launched: AtomicBool,
    /// What launches of its executors found.
    pub(crate) found: BiasedLock<FoundBefore>,
}

/// A part of the work of an operator of several ranks.
pub(crate) enum Part {
    /// Work that this rank does alone. The plan has no workspace of its own, as its tensors may lie there.
    Alone(Arc<SharedPlan>),
    /// Work that the ranks of a group of this name do together, with buffers so many bytes behind their tensors' beginnings.
    Together(Arc<str>, Exchange, SmallVec<[usize; 4]>),
}

impl Part {
    /// The number of its tensors.
    pub(crate) fn tensors(&self) -> usize {
        match self {
            Part::Alone(plan) => plan.tensors.len(),
            Part::Together(_, _, offsets) => offsets.len(),
        }
    }
}

/// A tensor that the kernel reads or writes.
#[derive(Clone, Copy)]
pub(crate) struct PlannedTensor {
    pub(crate) name: &'static str,
    pub(crate) slot: Slot,
    /// Whether a device reads or writes the tensor itself while it computes, and not a temporary copy.
    pub(crate) direct: bool,
    /// Whether the kernel reads only some of the elements, which other operands choose.
    pub(crate) looked_up: bool,
}

/// Where a call passes a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The number of the argument.
    pub(crate) argument: usize,
    /// The number in the argument, if that is a list.
    pub(crate) element: usize,
}

impl Slot {
    const WORKSPACE: usize = usize::MAX;

    /// The place of a tensor that no argument is: so many bytes behind the beginning of the workspace.
    pub(crate) fn in_workspace(offset: usize) -> Self {
        Slot { argument: Self::WORKSPACE, element: offset }
    }

    /// How far behind the beginning of the workspace a tensor is that lies there.
    pub(crate) fn workspace(self) -> Option<usize> {
        (self.argument == Self::WORKSPACE).then_some(self.element)
    }
}

/// The tasks of a device for a plan; they decide what the library allows with its executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tasks {
    /// Kernels of the AI cores alone.
    Cores,
    /// A kernel of the device's processors among others: the library does not keep the plan.
    Processors,
    /// A copy from device memory to device memory among others: the library does not keep the plan, and it cannot be
    /// repeated.
    Copy,
    /// A kernel that finds out the sizes of an output: the library does not keep the plan, and it cannot be repeated.
    Sizes,
}

impl Plan {
    /// A plan of kernels for the AI cores.
    pub(crate) fn of(kernel: Option<Kernel>, workspace: u64, tensors: SmallVec<[PlannedTensor; 3]>) -> Self {
        Plan(Box::new(SharedPlan {
            workspace,
            is_told: true,
            kernel: kernel.map(Box::new),
            tensors,
            tasks: Tasks::Cores,
            parts: Vec::new(),
            launched: AtomicBool::new(false),
            found: BiasedLock::default(),
        }))
    }

    /// A plan of parts, in their order. The library keeps none of those.
    pub(crate) fn of_parts(parts: Vec<Part>, tensors: SmallVec<[PlannedTensor; 3]>, workspace: u64) -> Self {
        let mut plan = Plan::of(None, workspace, tensors).by(Tasks::Processors);
        plan.parts = parts;
        plan
    }

    /// The same plan, for which a device does `tasks`. What cannot be repeated stays.
    pub(crate) fn by(mut self, tasks: Tasks) -> Self {
        if !matches!(self.tasks, Tasks::Copy | Tasks::Sizes) {
            self.tasks = tasks;
        }
        self
    }

    /// The same plan, of which the library does not tell how much workspace it needs.
    pub(crate) fn untold(mut self) -> Self {
        self.is_told = false;
        self
    }

    /// The same plan, for a caller who has no workspace.
    pub(crate) fn without_workspace(mut self) -> Self {
        self.workspace = 0;
        self
    }

    /// The same plan, which copies elements of `shape`: where its input holds no value, neither does its output.
    pub(crate) fn carrying(self, shape: &[usize]) -> Self {
        self.with_kernel(|kernel| kernel.carrying([(0, 1, shape)]))
    }

    /// The same plan, which does `work` on its operands after its kernel.
    pub(crate) fn followed_by(self, work: impl Whole + 'static) -> Self {
        self.with_kernel(|kernel| kernel.followed_by(work))
    }

    /// The same plan, which does `work` on its operands before its kernel.
    pub(crate) fn preceded_by(self, work: impl Whole + 'static) -> Self {
        self.with_kernel(|kernel| kernel.preceded_by(work))
    }

    fn with_kernel(mut self, change: impl FnOnce(Kernel) -> Kernel) -> Self {
        self.kernel = self.kernel.take().map(|kernel| Box::new(change(*kernel)));
        self
    }
}

impl From<Plan> for Arc<SharedPlan> {
    fn from(plan: Plan) -> Self {
        Arc::new(*plan.0)
    }
}

impl Deref for Plan {
    type Target = SharedPlan;

    fn deref(&self) -> &SharedPlan {
        &self.0
    }
}

impl DerefMut for Plan {
    fn deref_mut(&mut self) -> &mut SharedPlan {
        &mut self.0
    }
}

impl SharedPlan {
    /// Returns whether the library keeps the plan for the next identical call.
    pub(crate) fn is_kept(&self) -> bool {
        self.tasks == Tasks::Cores
    }

    /// Notes that an executor of the plan was launched and is gone.
    pub(crate) fn was_launched(&self) {
        if !self.launched.load(Ordering::Relaxed) {
            self.launched.store(true, Ordering::Release);
        }
    }

    /// Returns whether an identical call may use the plan.
    pub(crate) fn is_complete(&self) -> bool {
        self.launched.load(Ordering::Acquire)
    }
}
