//! The end of the libraries' use.

use crate::backend::Backend;
use crate::device;
use crate::error::Result;
use crate::process;

impl Backend {
    /// Ends the use of the libraries by this crate, when no device is open any more. The next call that needs them
    /// initialises them again, where the library lets itself be initialised a second time.
    ///
    /// Nothing needs it: a process may end with devices open. Call it where the libraries are to write or release
    /// something before the process ends, such as what a profiler gathered, and in plug-ins that are unloaded. It belongs
    /// at the end of `main`, after everything else of this crate was dropped, and neither into destructors of statics and
    /// thread-locals nor into functions that run at exit: by then the libraries may have ended themselves.
    ///
    /// From CANN 8.5 on, other parts of the process that initialised the libraries go on using them. Earlier releases only
    /// know an end for everybody: there they are ended if this crate was the first to initialise them, and left as they
    /// are if it was not.
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
    /// [`Error::InUse`](crate::Error::InUse) while a device is open: then nothing happens. What failed while the last handle
    /// of a device was dropped and nobody was told of; what the library returned.
    /// [`Error::Forked`](crate::Error::Forked) in a process that was forked after the first use.
    #[doc(alias = "aclFinalize")]
    #[doc(alias = "aclFinalizeReference")]
    pub fn finalize() -> Result<()> {
        process::check()?;
        Backend::chosen().map_or(Ok(()), |backend| device::when_none_is_open(|| backend.end()))
    }
}
