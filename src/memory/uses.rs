//! The streams that use a buffer, and the order between them.

use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use crate::acl::Bound;
use crate::error::Result;
use crate::stream_core::StreamCore;

/// The streams that hold work on a buffer. Code that launches work holds the lock, for reading or for writing, until
/// the work is queued.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The last stream that wrote the buffer. `None` if the host wrote it, and waited.
    writer: Option<Arc<StreamCore>>,
    /// Streams that are ordered after the writer and have read the buffer since.
    readers: Mutex<SmallVec<[Arc<StreamCore>; 3]>>,
}

impl Uses {
    /// Makes the uses of reused memory: earlier work on the memory, which the stream is ordered after, counts as its
    /// write.
    pub(super) fn after(stream: Option<&Arc<StreamCore>>) -> Uses {
        Uses { writer: stream.cloned(), readers: Mutex::default() }
    }

    /// Orders `stream` after the last writer, whose results it uses, and records that it reads.
    pub(crate) fn read_on(&self, stream: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        stream.must_not_be_captured("work that graphs do not hold")?;
        if self.writer.as_ref() == Some(stream) {
            return Ok(());
        }
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if !readers.contains(stream) {
            if let Some(writer) = &self.writer {
                stream.follow(writer, bound)?;
            }
            // Many streams may read a buffer that no stream writes. Streams that have ended have no work any more.
            readers.retain(|reader| !reader.has_ended());
            readers.push(stream.clone());
        }
        Ok(())
    }

    /// Orders `stream` after all work on the buffer, and records that it writes.
    pub(crate) fn write_on(&mut self, stream: &Arc<StreamCore>, bound: &Bound<'_>) -> Result<()> {
        stream.must_not_be_captured("work that graphs do not hold")?;
        let readers = self.readers.get_mut().unwrap_or_else(PoisonError::into_inner);
        if readers.is_empty() && self.writer.as_ref() == Some(stream) {
            return Ok(());
        }
        if let Some(writer) = self.writer.as_ref().filter(|&writer| writer != stream) {
            // Elements that the stream does not overwrite stay, so it uses the writer's results.
            stream.follow(writer, bound)?;
        }
        self.others(stream)
            .iter()
            .filter(|&other| self.writer.as_ref() != Some(other))
            .try_for_each(|other| stream.wait_for(other, bound))?;
        if self.writer.as_ref() != Some(stream) {
            self.writer = Some(stream.clone());
        }
        self.readers.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// Returns the stream with this number, if it holds work on the buffer.
    pub(super) fn stream(&self, id: u64) -> Option<Arc<StreamCore>> {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        self.writer.iter().chain(readers.iter()).find(|stream| stream.id() == id).cloned()
    }

    /// Returns the streams other than `stream` that hold work on the buffer.
    pub(super) fn others(&self, stream: &Arc<StreamCore>) -> SmallVec<[Arc<StreamCore>; 3]> {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        self.writer.iter().chain(readers.iter()).filter(|&other| other != stream).cloned().collect()
    }

    /// Waits for the work that writes the buffer.
    pub(crate) fn end_of_writes(&self, bound: &Bound<'_>) -> Result<()> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.synchronize(bound))
    }

    /// Waits for all work on the buffer. A failed reader is ignored, as it has changed nothing.
    pub(crate) fn end(&self, bound: &Bound<'_>) -> Result<()> {
        self.end_of_writes(bound)?;
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.iter().try_for_each(|reader| reader.idle(bound))
    }
}

#[cfg(test)]
mod tests {
    use crate::{DType, Device, Stream, Tensor, ops};

    #[test]
    fn streams_that_have_ended_are_not_kept() -> crate::Result<()> {
        let device = Device::open(0)?;
        let weights = Tensor::ones(&device, [4], DType::F32)?;
        for _ in 0..8 {
            ops::add(&weights, 1).on(&Stream::new(&device)?).run()?;
        }
        let uses = weights.buffer().lock_to_read();
        let readers = uses.readers.lock().map_err(|_| crate::Error::Internal { what: "a panic" })?;
        assert_eq!(readers.len(), 1);
        Ok(())
    }
}
