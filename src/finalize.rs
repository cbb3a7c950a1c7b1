//! Ending the use of the libraries.

use crate::backend::Backend;
use crate::device;
use crate::error::Result;
use crate::fork;

impl Backend {
    /// Ends the use of the libraries by this crate, if no device is open. The next call that needs the libraries
    /// initialises them again, if they allow a second initialisation.
    ///
    /// No program has to call this function: a process may end with devices open. Call it where the libraries should
    /// write or release something before the process ends, such as the data of a profiler, and in plug-ins that are
    /// unloaded. Call it at the end of `main`, after every other value of this crate was dropped. Do not call it in
    /// destructors of statics and thread-locals, nor in functions that run at exit: the libraries may have ended before
    /// those run.
    ///
    /// From CANN 8.5 on, other parts of the process that initialised the libraries can go on using them. Earlier
    /// releases can only end for the whole process: with those, this function ends the libraries if this crate was the
    /// first to initialise them, and otherwise leaves them as they are.
    ///
    /// ```
    /// use aclnn::{Backend, DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let ones = Tensor::ones(&device, [3], DType::F32)?;
    /// assert!(Backend::finalize().is_err(), "a device is open");
    /// drop((ones, device));
    /// Backend::finalize()?;
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InUse`](crate::Error::InUse) while a device is open: then nothing is ended. What failed while the last
    /// handle of a device was dropped, if it was not reported yet; what the library returned.
    /// [`Error::Forked`](crate::Error::Forked) in a process that was forked after the first use.
    #[doc(alias = "aclFinalize")]
    #[doc(alias = "aclFinalizeReference")]
    pub fn finalize() -> Result<()> {
        fork::check()?;
        Backend::chosen().map_or(Ok(()), |backend| device::when_none_is_open(|| backend.end()))
    }
}
