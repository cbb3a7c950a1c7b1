//! The two functions of every operator: their expansion from a declaration, and what they have in common.

use std::ffi::c_void;

use aclnn_sys::operators::OperatorInfo;
use aclnn_sys::{ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_PARAM_NULLPTR, aclOpExecutor, aclrtStream};

use super::argument::Argument;
use super::cache;
use super::call::{Call, Plan, tensor_in};
use super::defective;
use crate::entry::{Handle, Out, Parameter, call as enter, call_consuming};
use crate::handle::to_pointer;
use crate::meta::executor;
use crate::runtime::stream::refused_work;
use crate::status::Result;
use crate::surface::{EntryPoint, Support};

/// The functions of an operator, which have the names that its declaration says.
pub(crate) struct Phases {
    info: &'static OperatorInfo,
    addresses: [*const (); 2],
}

impl Phases {
    /// # Safety
    /// The addresses are those of phase one and of phase two, with the prototypes of the declaration.
    pub(super) const unsafe fn new(info: &'static OperatorInfo, addresses: [*const (); 2]) -> Self {
        Phases { info, addresses }
    }

    pub(super) fn entry_points(&self) -> [EntryPoint; 2] {
        let ([phase_one, phase_two], [plan, launch]) = (self.info.c_names(), self.addresses);
        // SAFETY: whoever made this vouches for the prototypes.
        unsafe {
            [
                EntryPoint::new(phase_one, plan, Support::Works),
                EntryPoint::new(phase_two, launch, Support::Works),
            ]
        }
    }
}

/// Expands the entry points of a family: exported for the drop-in libraries, and listed.
macro_rules! entry_points {
    (
        $family:ident, $rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt {
                $($name:ident = $c:literal ($($parameter:ident: $kind:ident),* $(,)?) $(since $since:literal)?;)*
            }
        )*
    ) => {
        /// The entry points of the family.
        pub(super) const SYMBOLS: &[$crate::operators::phases::Phases] = &[$($(
            // SAFETY: both have the prototypes of the declaration.
            unsafe {
                $crate::operators::phases::Phases::new(
                    &aclnn_sys::operators::$family::$name,
                    [$name::plan as *const (), $name::launch as *const ()],
                )
            },
        )*)*];

        $($(
            #[allow(non_snake_case, clippy::module_inception)]
            pub(in crate::operators) mod $name {
                use aclnn_sys::operators::$family::$name as OPERATOR;

                /// The operator, for calls by name.
                #[allow(dead_code)]
                pub(in crate::operators) const FORM: $crate::operators::call::Form =
                    $crate::operators::call::Form { info: &OPERATOR, rule: super::$function };

                #[cfg_attr(
                    all(feature = "drop-in", not(test)),
                    unsafe(export_name = concat!("cann_stubs_", $c, "GetWorkspaceSize"))
                )]
                pub(super) unsafe extern "C" fn plan(
                    $($parameter: aclnn_sys::parameter_type!($kind),)*
                    workspace_size: *mut u64,
                    executor: *mut *mut aclnn_sys::aclOpExecutor,
                ) -> aclnn_sys::aclnnStatus {
                    let arguments = [$($crate::operators::argument::Argument::from($parameter)),*];
                    $crate::operators::phases::plan(&OPERATOR, &arguments, super::$function, workspace_size, executor)
                }

                #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", $c)))]
                pub(super) unsafe extern "C" fn launch(
                    workspace: *mut std::ffi::c_void,
                    workspace_size: u64,
                    executor: *mut aclnn_sys::aclOpExecutor,
                    stream: aclnn_sys::aclrtStream,
                ) -> aclnn_sys::aclnnStatus {
                    $crate::operators::phases::launch(&OPERATOR, workspace, workspace_size, executor, stream)
                }
            }
        )*)*
    };
}
pub(super) use entry_points;

/// Expands to a function for each operator of a family: the `rule` of the module, with the operator's signature and that of
/// the `functions` which has the operator's name.
macro_rules! rules {
    (
        $family:ident, $Rule:ident:
        $(
            $(#[$doc:meta])*
            $function:ident $signature:tt { $($form:tt)* }
        )*
    ) => {$(
        fn $function(call: &Call<'_>) -> Result<Plan> {
            rule(call, &signatures::$function, functions::$function)
        }
    )*};
}
pub(super) use rules;

/// Declares functions that are no pairs, with the prototypes of `sys/operators.tsv`.
macro_rules! alone {
    ($(fn $name:ident = $c:literal ($($parameter:ident: $type:ty),*) by $function:ident;)*) => {
        $(
            #[cfg_attr(all(feature = "drop-in", not(test)), unsafe(export_name = concat!("cann_stubs_", $c)))]
            unsafe extern "C" fn $name(
                $($parameter: <$type as $crate::entry::Parameter>::C),*
            ) -> aclnn_sys::aclnnStatus {
                $crate::entry::call::<aclnn_sys::aclnnStatus>($c, &mut || -> $crate::status::Result {
                    // SAFETY: the values come straight from the C caller.
                    $(let $parameter = unsafe { <$type as $crate::entry::Parameter>::from_c($parameter) };)*
                    $function($($parameter),*)
                })
            }
        )*

        /// The entry points that are no pairs of functions.
        pub(in crate::operators) const SYMBOLS: &[$crate::surface::EntryPoint] = &[$(
            // SAFETY: the prototypes are those of the headers.
            unsafe {
                $crate::surface::EntryPoint::new($c, $name as *const (), $crate::surface::Support::Works)
            },
        )*];
    };
}
pub(super) use alone;

/// Returns whether phase one of an operator does all the work, and writes neither of its places. Its phase two does nothing,
/// whatever it is passed.
fn is_at_once(operator: &'static OperatorInfo) -> bool {
    std::ptr::eq(operator, &aclnn_sys::operators::movement::ConvertWeightToINT4Pack)
}

/// Phase one. Nothing is written when it fails.
///
/// `extern "C"` says that it does not unwind, as of phase two, so that the functions of each operator have no code for that.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from Rust alone")]
pub(super) extern "C" fn plan(
    operator: &'static OperatorInfo,
    arguments: &[Argument],
    function: fn(&Call<'_>) -> Result<Plan>,
    size: *mut u64,
    executor: *mut *mut aclOpExecutor,
) -> i32 {
    let [phase_one, phase_two] = operator.c_names();
    enter::<i32>(phase_one, &mut || {
        // SAFETY: both come straight from the C caller, who promises places for the results.
        let (size, executor) = unsafe { (Out::from_c(size), Out::from_c(executor)) };
        let size = size.required("workspaceSize", ACLNN_ERR_PARAM_NULLPTR)?;
        let executor = executor.required("executor", ACLNN_ERR_PARAM_NULLPTR)?;
        let plan = || {
            let call = Call::new(operator, arguments);
            let plan = defective::plan(phase_two, &call, function);
            let plan = plan.map_err(|status| call.explain(status))?;
            call.outputs().for_each(|output| output.report_beyond_storage(phase_one));
            Ok(plan)
        };
        if is_at_once(operator) {
            return executor::run_at_once(phase_two, &plan()?.into(), |slot| tensor_in(arguments, slot));
        }
        let planned = cache::with(phase_two, arguments, plan, |plan| {
            let made = executor::make(phase_two, plan, |slot| tensor_in(arguments, slot));
            if plan.is_told {
                size.write(plan.workspace);
            }
            executor.write(to_pointer(made));
        });
        match planned {
            Err(why) if why.code == ACLNN_ERR_INNER_FIND_KERNEL_ERROR => {
                refused_work::postpone(phase_two, why)?;
                size.write(0);
                executor.write(std::ptr::null_mut());
                Ok(())
            }
            planned => planned,
        }
    })
}

/// Phase two.
#[inline(never)]
pub(super) extern "C" fn launch(
    operator: &'static OperatorInfo,
    workspace: *mut c_void,
    size: u64,
    executor: *mut aclOpExecutor,
    stream: aclrtStream,
) -> i32 {
    let [_, phase_two] = operator.c_names();
    // SAFETY: handles are never dereferenced.
    let (executor, stream) = unsafe { (Handle::from_c(executor), Handle::from_c(stream)) };
    if is_at_once(operator) {
        return enter::<i32>(phase_two, &mut || Ok(()));
    }
    call_consuming::<i32>(phase_two, &|| executor::consume(&executor), &mut || -> crate::status::Result {
        let postponed = (executor.0 == 0).then(|| refused_work::postponed(phase_two)).flatten();
        match postponed {
            Some(why) => refused_work::refuse(phase_two, &stream, why),
            None => executor::launch(phase_two, workspace.addr(), size, &executor, &stream),
        }
    })
}
