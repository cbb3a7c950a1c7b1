// Written by `cargo xtask bindings` from `include/`; change the headers instead.

use super::types::*;
use crate::table::table;
use core::ffi::*;

table! {
    /// Devices, contexts, streams, events, callbacks, memory, errors, versions.
    pub struct Runtime, types in runtime_pfn;

    /// Describes a region; the memory is borrowed. NULL on failure.
    ///
    /// - `data`: start of the region
    /// - `size`: bytes
    pub fn aclCreateDataBuffer(
        data: *mut c_void,
        size: usize,
    ) -> *mut aclDataBuffer;
    /// Frees the description, not the memory.
    pub fn aclDestroyDataBuffer(dataBuffer: *const aclDataBuffer) -> aclError;
    /// Describes another region with the same object.
    ///
    /// - `data`: start of the region
    /// - `size`: bytes
    pub fn aclUpdateDataBuffer(
        dataBuffer: *mut aclDataBuffer,
        data: *mut c_void,
        size: usize,
    ) -> aclError;
    /// Returns the start of the region.
    pub fn aclGetDataBufferAddr(
        dataBuffer: *const aclDataBuffer,
    ) -> *mut c_void;
    /// Returns the size of the region in bytes, cut to 32 bits: `aclGetDataBufferSizeV2` returns all bits.
    pub fn aclGetDataBufferSize(dataBuffer: *const aclDataBuffer) -> u32;
    /// Returns the size of the region in bytes.
    pub fn aclGetDataBufferSizeV2(dataBuffer: *const aclDataBuffer) -> usize;
    /// Returns the size of one element in bytes: 0 for strings and the undefined type. Not for packed types: INT4 and UINT1
    /// give 1, the 6 and 4 bit floats give 8.
    pub fn aclDataTypeSize(dataType: aclDataType) -> usize;
    /// Widens binary16 bits to f32.
    pub fn aclFloat16ToFloat(value: aclFloat16) -> f32;
    /// Narrows f32 to binary16 bits.
    pub fn aclFloatToFloat16(value: f32) -> aclFloat16;
    /// Returns the name of the product, such as Ascend910B1. NULL on failure.
    pub fn aclrtGetSocName() -> *const c_char;
    /// Lists the attributes that this product has.
    ///
    /// - `cannAttrList`: receives a pointer to the list, which stays the library's
    /// - `num`: receives its length
    pub fn aclGetCannAttributeList(
        cannAttrList: *mut *const aclCannAttr,
        num: *mut usize,
    ) -> aclError;
    /// Asks for one attribute.
    ///
    /// - `cannAttr`: which
    /// - `value`: receives 1 where the product has it, else 0
    pub fn aclGetCannAttribute(cannAttr: aclCannAttr, value: *mut i32) -> aclError;
    /// Asks for a number that describes a device.
    ///
    /// - `deviceId`: the device
    /// - `deviceInfo`: which number
    /// - `value`: receives it
    pub fn aclGetDeviceCapability(
        deviceId: u32,
        deviceInfo: aclDeviceInfo,
        value: *mut i64,
    ) -> aclError;
    /// Describes a tensor. NULL on failure.
    ///
    /// - `dataType`: of the elements
    /// - `numDims`: number of axes
    /// - `dims`: their sizes; -1 for any
    /// - `format`: order in memory
    pub fn aclCreateTensorDesc(
        dataType: aclDataType,
        numDims: c_int,
        dims: *const i64,
        format: aclFormat,
    ) -> *mut aclTensorDesc;
    /// Frees a description.
    pub fn aclDestroyTensorDesc(desc: *const aclTensorDesc);
    /// Returns the size of an axis.
    ///
    /// - `desc`: the description
    /// - `index`: the axis
    /// - `dimSize`: receives the size
    pub fn aclGetTensorDescDimV2(
        desc: *const aclTensorDesc,
        index: usize,
        dimSize: *mut i64,
    ) -> aclError;
    /// Returns the order of the elements in memory; -1 on failure.
    pub fn aclGetTensorDescFormat(desc: *const aclTensorDesc) -> aclFormat;
    /// Returns the number of axes; 0 on failure.
    pub fn aclGetTensorDescNumDims(desc: *const aclTensorDesc) -> usize;
    /// Returns the size of the elements in bytes; 0 on failure and for a shape that is not known.
    pub fn aclGetTensorDescSize(desc: *const aclTensorDesc) -> usize;
    /// Returns the type of the elements; -1 on failure.
    pub fn aclGetTensorDescType(desc: *const aclTensorDesc) -> aclDataType;
    /// States that the tensor has a value that never changes.
    ///
    /// - `desc`: the description
    /// - `dataBuffer`: the value
    /// - `length`: its bytes
    pub fn aclSetTensorConst(
        desc: *mut aclTensorDesc,
        dataBuffer: *mut c_void,
        length: usize,
    ) -> aclError;
    /// Names a tensor.
    ///
    /// - `desc`: the description
    /// - `name`: its name
    pub fn aclSetTensorDescName(
        desc: *mut aclTensorDesc,
        name: *const c_char,
    );
    /// Sets the order of the elements on the device.
    ///
    /// - `desc`: the description
    /// - `format`: the order
    pub fn aclSetTensorFormat(desc: *mut aclTensorDesc, format: aclFormat) -> aclError;
    /// Sets the side, host or device, where a tensor lies.
    ///
    /// - `desc`: the description
    /// - `memType`: the side
    pub fn aclSetTensorPlaceMent(
        desc: *mut aclTensorDesc,
        memType: aclMemType,
    ) -> aclError;
    /// Sets the shape on the device.
    ///
    /// - `desc`: the description
    /// - `numDims`: number of axes
    /// - `dims`: their sizes
    pub fn aclSetTensorShape(
        desc: *mut aclTensorDesc,
        numDims: c_int,
        dims: *const i64,
    ) -> aclError;
    /// Bounds the sizes of the axes.
    ///
    /// - `desc`: the description
    /// - `dimsCount`: number of axes
    /// - `dimsRange`: least and greatest size of each
    pub fn aclSetTensorShapeRange(
        desc: *mut aclTensorDesc,
        dimsCount: usize,
        dimsRange: *mut [i64; 2usize],
    ) -> aclError;
    /// Makes a buffer.
    pub fn aclrtAllocBuf(buf: *mut aclrtMbuf, size: u64) -> aclError;
    /// Frees a buffer.
    pub fn aclrtFreeBuf(buf: aclrtMbuf) -> aclError;
    /// Returns the address of the data of a buffer, and its size in bytes.
    pub fn aclrtGetBufData(
        buf: aclrtMbuf,
        dataPtr: *mut *mut c_void,
        size: *mut u64,
    ) -> aclError;
    /// Sets the number of bytes of a buffer that are data.
    pub fn aclrtSetBufDataLen(buf: aclrtMbuf, len: u64) -> aclError;
    /// Returns the number of bytes of a buffer that are data.
    pub fn aclrtGetBufDataLen(buf: aclrtMbuf, len: *mut u64) -> aclError;
    /// Writes data that a program keeps with a buffer.
    pub fn aclrtSetBufUserData(
        buf: aclrtMbuf,
        dataPtr: *const c_void,
        size: u64,
        offset: u64,
    ) -> aclError;
    /// Reads data that a program keeps with a buffer.
    pub fn aclrtGetBufUserData(
        buf: aclrtMbuf,
        dataPtr: *mut c_void,
        size: u64,
        offset: u64,
    ) -> aclError;
    /// Makes another buffer of the same data.
    pub fn aclrtCopyBufRef(buf: aclrtMbuf, newBuf: *mut aclrtMbuf) -> aclError;
    /// Appends a buffer to a chain.
    pub fn aclrtAppendBufChain(headBuf: aclrtMbuf, buf: aclrtMbuf) -> aclError;
    /// Counts the buffers of a chain.
    pub fn aclrtGetBufChainNum(headBuf: aclrtMbuf, num: *mut u32) -> aclError;
    /// Returns a buffer of a chain.
    pub fn aclrtGetBufFromChain(
        headBuf: aclrtMbuf,
        index: u32,
        buf: *mut aclrtMbuf,
    ) -> aclError;
    /// Writes the cache back to memory.
    ///
    /// - `devPtr`: start
    /// - `size`: bytes
    pub fn aclrtMemFlush(devPtr: *mut c_void, size: usize) -> aclError;
    /// Drops the contents of the cache.
    ///
    /// - `devPtr`: start
    /// - `size`: bytes
    pub fn aclrtMemInvalidate(devPtr: *mut c_void, size: usize) -> aclError;
    /// Performs a cache operation in stream order.
    ///
    /// - `src`: start
    /// - `size`: bytes
    /// - `cmoType`: the operation
    /// - `stream`: the stream
    pub fn aclrtCmoAsync(
        src: *mut c_void,
        size: usize,
        cmoType: aclrtCmoType,
        stream: aclrtStream,
    ) -> aclError;
    /// Does the same as `aclrtMemcpyAsync`.
    ///
    /// - `dst`: where to
    /// - `destMax`: bytes there; less than `count` gives 107000
    /// - `src`: where from
    /// - `count`: bytes to copy
    /// - `kind`: direction
    /// - `stream`: the stream
    pub fn aclrtMemcpyAsyncWithCondition(
        dst: *mut c_void,
        destMax: usize,
        src: *const c_void,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Copies many regions at once.
    ///
    /// - `dsts`: where to
    /// - `destMaxs`: bytes there
    /// - `srcs`: where from
    /// - `sizes`: bytes to copy
    /// - `numBatches`: how many regions
    /// - `attrs`: sides of the copies
    /// - `attrsIndexes`: first region of each entry of `attrs`
    /// - `numAttrs`: how many entries
    /// - `failIndex`: receives the region that failed, or the largest number
    pub fn aclrtMemcpyBatch(
        dsts: *mut *mut c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        failIndex: *mut usize,
    ) -> aclError;
    /// Does the same as `aclrtMemcpyBatch`, in stream order.
    ///
    /// - `dsts`: where to
    /// - `destMaxs`: bytes there
    /// - `srcs`: where from
    /// - `sizes`: bytes to copy
    /// - `numBatches`: how many regions
    /// - `attrs`: sides of the copies
    /// - `attrsIndexes`: first region of each entry of `attrs`
    /// - `numAttrs`: how many entries
    /// - `failIndex`: receives the region that failed, or the largest number
    /// - `stream`: the stream
    pub fn aclrtMemcpyBatchAsync(
        dsts: *mut *mut c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        failIndex: *mut usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Does the same as `aclrtMemcpyBatch`, without the number of the region that failed. CANN 9.1 and later.
    ///
    /// - `dsts`: where to
    /// - `destMaxs`: bytes there
    /// - `srcs`: where from
    /// - `sizes`: bytes to copy
    /// - `numBatches`: how many regions
    /// - `attrs`: sides of the copies
    /// - `attrsIndexes`: first region of each entry of `attrs`
    /// - `numAttrs`: how many entries
    pub fn aclrtMemcpyBatchV2(
        dsts: *mut *mut c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
    ) -> aclError;
    /// Does the same as `aclrtMemcpyBatchAsync`, without the number of the region that failed. CANN 9.1 and later.
    ///
    /// - `dsts`: where to
    /// - `destMaxs`: bytes there
    /// - `srcs`: where from
    /// - `sizes`: bytes to copy
    /// - `numBatches`: how many regions
    /// - `attrs`: sides of the copies
    /// - `attrsIndexes`: first region of each entry of `attrs`
    /// - `numAttrs`: how many entries
    /// - `stream`: the stream
    pub fn aclrtMemcpyBatchAsyncV2(
        dsts: *mut *mut c_void,
        destMaxs: *mut usize,
        srcs: *mut *mut c_void,
        sizes: *mut usize,
        numBatches: usize,
        attrs: *mut aclrtMemcpyBatchAttr,
        attrsIndexes: *mut usize,
        numAttrs: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Writes 64 bits in stream order.
    ///
    /// - `devAddr`: where
    /// - `value`: what
    /// - `flag`: 0
    /// - `stream`: the stream
    pub fn aclrtValueWrite(
        devAddr: *mut c_void,
        value: u64,
        flag: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Lets a stream wait for a value in memory.
    ///
    /// - `devAddr`: where; 64 bits
    /// - `value`: what it is compared with
    /// - `flag`: `ACL_STREAM_WAIT_VALUE_…`
    /// - `stream`: the stream
    pub fn aclrtValueWait(
        devAddr: *mut c_void,
        value: u64,
        flag: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Combines the elements of two regions in stream order.
    ///
    /// - `dst`: one operand, and the result
    /// - `src`: the other operand
    /// - `count`: bytes
    /// - `kind`: how
    /// - `type`: of the elements
    /// - `stream`: the stream
    /// - `reserve`: NULL
    pub fn aclrtReduceAsync(
        dst: *mut c_void,
        src: *const c_void,
        count: u64,
        kind: aclrtReduceKind,
        type_: aclDataType,
        stream: aclrtStream,
        reserve: *mut c_void,
    ) -> aclError;
    /// Returns the allocation that contains an address. CANN 9.0 and later.
    ///
    /// - `ptr`: the address
    /// - `pbase`: receives its start; may be NULL
    /// - `psize`: receives its bytes; may be NULL
    pub fn aclrtMemGetAddressRange(
        ptr: *mut c_void,
        pbase: *mut *mut c_void,
        psize: *mut usize,
    ) -> aclError;
    /// Returns the memory of a device that has uncorrectable errors.
    ///
    /// - `deviceId`: the device
    /// - `memUceInfoArray`: receives one entry per piece
    /// - `arraySize`: entries there
    /// - `retSize`: receives the entries written
    pub fn aclrtGetMemUceInfo(
        deviceId: i32,
        memUceInfoArray: *mut aclrtMemUceInfo,
        arraySize: usize,
        retSize: *mut usize,
    ) -> aclError;
    /// Replaces memory with errors.
    ///
    /// - `deviceId`: the device
    /// - `memUceInfoArray`: the pieces
    /// - `arraySize`: how many
    pub fn aclrtMemUceRepair(
        deviceId: i32,
        memUceInfoArray: *mut aclrtMemUceInfo,
        arraySize: usize,
    ) -> aclError;
    /// Performs a cache operation in stream order, and raises a barrier.
    pub fn aclrtCmoAsyncWithBarrier(
        src: *mut c_void,
        size: u64,
        cmoType: aclrtCmoType,
        barrierId: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Lets a stream wait for barriers.
    pub fn aclrtCmoWaitBarrier(
        taskInfo: *mut aclrtBarrierTaskInfo,
        stream: aclrtStream,
        flag: u32,
    ) -> aclError;
    /// Returns the bytes of the description of a piece of memory.
    pub fn aclrtCmoGetDescSize(size: *mut u64) -> aclError;
    /// Describes a piece of memory, in device memory.
    pub fn aclrtCmoSetDesc(
        cmoDesc: *mut c_void,
        src: *mut c_void,
        size: u64,
    ) -> aclError;
    /// Performs a cache operation on a described piece of memory, in stream order.
    pub fn aclrtCmoAsyncWithDesc(
        cmoDesc: *mut c_void,
        cmoType: aclrtCmoType,
        stream: aclrtStream,
        reserve: *const c_void,
    ) -> aclError;
    /// Copies in stream order; the addresses are read then, and the offsets added to them.
    pub fn aclrtMemcpyAsyncWithOffset(
        dst: *mut *mut c_void,
        destMax: u64,
        dstDataOffset: u64,
        src: *mut *const c_void,
        count: u64,
        srcDataOffset: u64,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns the bytes of the description of a copy.
    pub fn aclrtGetMemcpyDescSize(kind: aclrtMemcpyKind, descSize: *mut u64) -> aclError;
    /// Describes a copy, in device memory.
    pub fn aclrtSetMemcpyDesc(
        desc: *mut c_void,
        kind: aclrtMemcpyKind,
        srcAddr: *mut c_void,
        dstAddr: *mut c_void,
        count: u64,
        config: *mut c_void,
    ) -> aclError;
    /// Copies as described, in stream order.
    pub fn aclrtMemcpyAsyncWithDesc(
        desc: *mut c_void,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns the device address of a variable.
    pub fn aclrtGetSymbolAddress(
        symbol: *const c_void,
        devPtr: *mut *mut c_void,
    ) -> aclError;
    /// Returns the size of a variable in bytes.
    pub fn aclrtGetSymbolSize(
        symbol: *const c_void,
        size: *mut u64,
    ) -> aclError;
    /// Copies into a variable.
    pub fn aclrtMemcpyToSymbol(
        symbol: *const c_void,
        src: *const c_void,
        count: u64,
        offset: u64,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies into a variable in stream order.
    pub fn aclrtMemcpyToSymbolAsync(
        symbol: *const c_void,
        src: *const c_void,
        count: u64,
        offset: u64,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Copies from a variable.
    pub fn aclrtMemcpyFromSymbol(
        dst: *mut c_void,
        dstMax: u64,
        symbol: *const c_void,
        count: u64,
        offset: u64,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies from a variable in stream order.
    pub fn aclrtMemcpyFromSymbolAsync(
        dst: *mut c_void,
        dstMax: u64,
        symbol: *const c_void,
        count: u64,
        offset: u64,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Makes a counter.
    pub fn aclrtCntNotifyCreate(cntNotify: *mut aclrtCntNotify, flag: u64) -> aclError;
    /// Destroys a counter.
    pub fn aclrtCntNotifyDestroy(cntNotify: aclrtCntNotify) -> aclError;
    /// Returns the number of a counter.
    pub fn aclrtCntNotifyGetId(
        cntNotify: aclrtCntNotify,
        notifyId: *mut u32,
    ) -> aclError;
    /// Changes a counter in stream order.
    pub fn aclrtCntNotifyRecord(
        cntNotify: aclrtCntNotify,
        stream: aclrtStream,
        info: *mut aclrtCntNotifyRecordInfo,
    ) -> aclError;
    /// Lets a stream wait for a counter.
    pub fn aclrtCntNotifyWaitWithTimeout(
        cntNotify: aclrtCntNotify,
        stream: aclrtStream,
        info: *mut aclrtCntNotifyWaitInfo,
    ) -> aclError;
    /// Sets a counter to 0 in stream order.
    pub fn aclrtCntNotifyReset(
        cntNotify: aclrtCntNotify,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns the number of a device on the host, from the number that programs use.
    pub fn aclrtGetPhyDevIdByUserDevId(userDevId: i32, phyDevId: *mut i32) -> aclError;
    /// Returns the number that programs use, from the number of a device on the host.
    pub fn aclrtGetUserDevIdByPhyDevId(phyDevId: i32, userDevId: *mut i32) -> aclError;
    /// Returns the number of a device on the host, from the number that the driver knows.
    pub fn aclrtGetPhyDevIdByLogicDevId(logicDevId: i32, phyDevId: *mut i32) -> aclError;
    /// Returns the number that the driver knows, from the number of a device on the host.
    pub fn aclrtGetLogicDevIdByPhyDevId(phyDevId: i32, logicDevId: *mut i32) -> aclError;
    /// Returns the number that programs use, from the number that the driver knows.
    pub fn aclrtGetUserDevIdByLogicDevId(
        logicDevId: i32,
        userDevid: *mut i32,
    ) -> aclError;
    /// Writes the place of a device on the PCI bus.
    pub fn aclrtDeviceGetPCIBusId(
        deviceId: i32,
        pciBusId: *mut c_char,
        len: i32,
    ) -> aclError;
    /// Finds a device by its place on the PCI bus.
    pub fn aclrtDeviceGetByPCIBusId(
        pciBusId: *const c_char,
        deviceId: *mut i32,
    ) -> aclError;
    /// Returns the kind of the link between two devices: a sum of `ACL_RT_DEVS_TOPOLOGY_…`.
    pub fn aclrtGetDevicesTopo(
        deviceId: u32,
        otherDeviceId: u32,
        value: *mut u64,
    ) -> aclError;
    /// Returns whether a program compiled for a product runs on this one.
    pub fn aclrtCheckArchCompatibility(
        socVersion: *const c_char,
        canCompatible: *mut i32,
    ) -> aclError;
    /// Sets a limit of the current device.
    pub fn aclrtDeviceSetLimit(limit: aclrtDeviceLimit, value: u64) -> aclError;
    /// Returns a limit of the current device.
    pub fn aclrtDeviceGetLimit(limit: aclrtDeviceLimit, value: *mut u64) -> aclError;
    /// Returns the operand types for which a device has atomic operations on host memory.
    pub fn aclrtDeviceGetHostAtomicCapabilities(
        capabilities: *mut u32,
        operations: *const aclrtAtomicOperation,
        count: u32,
        deviceId: i32,
    ) -> aclError;
    /// Returns the operand types for which a device has atomic operations on memory of another device.
    pub fn aclrtDeviceGetP2PAtomicCapabilities(
        capabilities: *mut u32,
        operations: *const aclrtAtomicOperation,
        count: u32,
        srcDeviceId: i32,
        dstDeviceId: i32,
    ) -> aclError;
    /// Returns whether a part of a device reaches host memory.
    pub fn aclrtHostMemMapCapabilities(
        deviceId: u32,
        hacType: aclrtHacType,
        capabilities: *mut aclrtHostMemMapCapability,
    ) -> aclError;
    /// Writes back the cache of the current device.
    pub fn aclrtDeviceL2CacheFlush(rsv: *mut c_void) -> aclError;
    /// Copies the overflow status of a stream, in stream order.
    pub fn aclrtGetFloatOverflowStatus(
        outputAddr: *mut c_void,
        outputSize: u64,
        stream: aclrtStream,
    ) -> aclError;
    /// Clears the overflow status of a stream, in stream order.
    pub fn aclrtResetFloatOverflowStatus(stream: aclrtStream) -> aclError;
    /// Copies the overflow status of the device, in stream order.
    pub fn aclrtNpuGetFloatOverFlowStatus(
        outputAddr: *mut c_void,
        outputSize: u64,
        checkMode: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Clears the overflow status of the device, in stream order.
    pub fn aclrtNpuClearFloatOverFlowStatus(
        checkMode: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns the address at which the device notes overflow for the current context.
    pub fn aclrtCtxGetFloatOverflowAddr(
        overflowAddr: *mut *mut c_void,
    ) -> aclError;
    /// Begins a capture: work submitted to a stream is recorded in a graph from now on, and does not run.
    ///
    /// - `stream`: the stream
    /// - `mode`: the threads whose calls are forbidden meanwhile
    pub fn aclmdlRICaptureBegin(
        stream: aclrtStream,
        mode: aclmdlRICaptureMode,
    ) -> aclError;
    /// Returns whether a stream is being captured.
    ///
    /// - `stream`: the stream
    /// - `status`: receives the answer
    /// - `modelRI`: receives the graph
    pub fn aclmdlRICaptureGetInfo(
        stream: aclrtStream,
        status: *mut aclmdlRICaptureStatus,
        modelRI: *mut aclmdlRI,
    ) -> aclError;
    /// Ends a capture.
    ///
    /// - `stream`: the stream
    /// - `modelRI`: receives the graph
    pub fn aclmdlRICaptureEnd(stream: aclrtStream, modelRI: *mut aclmdlRI) -> aclError;
    /// Prints a graph.
    pub fn aclmdlRIDebugPrint(modelRI: aclmdlRI) -> aclError;
    /// Writes a graph to a file.
    ///
    /// - `modelRI`: the graph
    /// - `path`: the file
    /// - `flags`: `ACL_MDLRI_DEBUG_JSON_PRINT_…`
    pub fn aclmdlRIDebugJsonPrint(
        modelRI: aclmdlRI,
        path: *const c_char,
        flags: u32,
    ) -> aclError;
    /// Exchanges the mode of captures of this thread.
    ///
    /// - `mode`: holds the new one, receives the old one
    pub fn aclmdlRICaptureThreadExchangeMode(mode: *mut aclmdlRICaptureMode) -> aclError;
    /// Runs a graph in stream order.
    ///
    /// - `modelRI`: the graph
    /// - `stream`: the stream
    pub fn aclmdlRIExecuteAsync(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
    /// Runs a graph and waits for it.
    ///
    /// - `modelRI`: the graph
    /// - `timeout`: milliseconds; -1 for no limit
    pub fn aclmdlRIExecute(modelRI: aclmdlRI, timeout: i32) -> aclError;
    /// Destroys a graph.
    pub fn aclmdlRIDestroy(modelRI: aclmdlRI) -> aclError;
    /// Begins a group of tasks in a capture.
    pub fn aclmdlRICaptureTaskGrpBegin(stream: aclrtStream) -> aclError;
    /// Ends a group of tasks in a capture.
    ///
    /// - `stream`: the stream
    /// - `handle`: receives the group
    pub fn aclmdlRICaptureTaskGrpEnd(
        stream: aclrtStream,
        handle: *mut aclrtTaskGrp,
    ) -> aclError;
    /// Begins to replace a group of tasks.
    ///
    /// - `stream`: the stream
    /// - `handle`: the group
    pub fn aclmdlRICaptureTaskUpdateBegin(
        stream: aclrtStream,
        handle: aclrtTaskGrp,
    ) -> aclError;
    /// Ends the replacement of a group of tasks.
    pub fn aclmdlRICaptureTaskUpdateEnd(stream: aclrtStream) -> aclError;
    /// Returns the number of a graph. CANN 9.1 and later.
    ///
    /// - `modelRI`: the graph
    /// - `modelRIId`: receives it
    pub fn aclmdlRIGetId(modelRI: aclmdlRI, modelRIId: *mut u32) -> aclError;
    /// Makes a condition in a graph. CANN 9.1 and later.
    ///
    /// - `modelRI`: the graph
    /// - `defaultLaunchValue`: value at the start of each run
    /// - `flag`: the value that it begins with
    /// - `handle`: receives the condition
    pub fn aclmdlRICondHandleCreate(
        modelRI: aclmdlRI,
        defaultLaunchValue: u32,
        flag: aclmdlRICondHandleFlag,
        handle: *mut aclmdlRICondHandle,
    ) -> aclError;
    /// Returns the device address of the value of a condition. CANN 9.1 and later.
    ///
    /// - `handle`: the condition
    /// - `ptr`: receives the address
    pub fn aclmdlRICondHandleGetCondPtr(
        handle: aclmdlRICondHandle,
        ptr: *mut *mut u64,
    ) -> aclError;
    /// Adds a task that runs graphs on a condition. CANN 9.1 and later.
    ///
    /// - `params`: the task
    /// - `stream`: the stream
    /// - `flags`: 0
    pub fn aclmdlRIAddCondTask(
        params: aclmdlRICondTaskParams,
        stream: aclrtStream,
        flags: u32,
    ) -> aclError;
    /// Does the same as `aclmdlRICaptureBegin`, into a graph that exists. CANN 9.1 and later.
    ///
    /// - `stream`: the stream
    /// - `modelRI`: the graph
    /// - `mode`: the threads whose calls are forbidden meanwhile
    pub fn aclmdlRICaptureToModelRIBegin(
        stream: aclrtStream,
        modelRI: aclmdlRI,
        mode: aclmdlRICaptureMode,
    ) -> aclError;
    /// Begins to dump the operands of operators.
    pub fn aclmdlInitDump() -> aclError;
    /// Sets the kind of data that is dumped.
    ///
    /// - `dumpCfgPath`: a JSON file
    pub fn aclmdlSetDump(dumpCfgPath: *const c_char) -> aclError;
    /// Ends dumping the operands of operators.
    pub fn aclmdlFinalizeDump() -> aclError;
    /// Describes a compiled program. NULL on failure.
    ///
    /// - `data`: its bytes
    /// - `dataLen`: how many
    pub fn aclrtCreateBinary(
        data: *const c_void,
        dataLen: usize,
    ) -> aclrtBinary;
    /// Frees the description of a compiled program.
    pub fn aclrtDestroyBinary(binary: aclrtBinary) -> aclError;
    /// Loads a compiled program.
    ///
    /// - `binary`: the program
    /// - `binHandle`: receives the loaded program
    pub fn aclrtBinaryLoad(
        binary: aclrtBinary,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError;
    /// Unloads a program.
    pub fn aclrtBinaryUnLoad(binHandle: aclrtBinHandle) -> aclError;
    /// Returns a kernel of a loaded program.
    ///
    /// - `binHandle`: the program
    /// - `kernelName`: name of the kernel
    /// - `funcHandle`: receives it
    pub fn aclrtBinaryGetFunction(
        binHandle: aclrtBinHandle,
        kernelName: *const c_char,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError;
    /// Loads a compiled program from a file.
    ///
    /// - `binPath`: the file
    /// - `options`: may be NULL
    /// - `binHandle`: receives the loaded program
    pub fn aclrtBinaryLoadFromFile(
        binPath: *const c_char,
        options: *mut aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError;
    /// Loads a compiled program from memory.
    ///
    /// - `data`: its bytes
    /// - `length`: how many
    /// - `options`: may be NULL
    /// - `binHandle`: receives the loaded program
    pub fn aclrtBinaryLoadFromData(
        data: *const c_void,
        length: usize,
        options: *const aclrtBinaryLoadOptions,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError;
    /// Returns the device addresses of a kernel.
    ///
    /// - `funcHandle`: the kernel
    /// - `aicAddr`: receives the address of its part for cube cores
    /// - `aivAddr`: receives the address of its part for vector cores
    pub fn aclrtGetFunctionAddr(
        funcHandle: aclrtFuncHandle,
        aicAddr: *mut *mut c_void,
        aivAddr: *mut *mut c_void,
    ) -> aclError;
    /// Begins the arguments of a launch.
    ///
    /// - `funcHandle`: the kernel
    /// - `argsHandle`: receives the arguments
    pub fn aclrtKernelArgsInit(
        funcHandle: aclrtFuncHandle,
        argsHandle: *mut aclrtArgsHandle,
    ) -> aclError;
    /// Adds an argument.
    ///
    /// - `argsHandle`: the arguments
    /// - `param`: the new one
    /// - `paramSize`: its bytes
    /// - `paramHandle`: receives it
    pub fn aclrtKernelArgsAppend(
        argsHandle: aclrtArgsHandle,
        param: *mut c_void,
        paramSize: usize,
        paramHandle: *mut aclrtParamHandle,
    ) -> aclError;
    /// Ends the arguments of a launch.
    pub fn aclrtKernelArgsFinalize(argsHandle: aclrtArgsHandle) -> aclError;
    /// Launches a kernel in stream order.
    ///
    /// - `funcHandle`: the kernel
    /// - `numBlocks`: how many blocks
    /// - `argsData`: arguments on the device
    /// - `argsSize`: their bytes
    /// - `stream`: the stream
    pub fn aclrtLaunchKernel(
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        argsData: *const c_void,
        argsSize: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Does the same as `aclrtLaunchKernel`, with options.
    ///
    /// - `funcHandle`: the kernel
    /// - `numBlocks`: how many blocks
    /// - `argsData`: arguments on the device
    /// - `argsSize`: their bytes
    /// - `cfg`: may be NULL
    /// - `stream`: the stream
    pub fn aclrtLaunchKernelV2(
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        argsData: *const c_void,
        argsSize: usize,
        cfg: *mut aclrtLaunchKernelCfg,
        stream: aclrtStream,
    ) -> aclError;
    /// Does the same as `aclrtLaunchKernel`, with options.
    ///
    /// - `funcHandle`: the kernel
    /// - `numBlocks`: how many blocks
    /// - `stream`: the stream
    /// - `cfg`: may be NULL
    /// - `argsHandle`: the arguments
    /// - `reserve`: NULL
    pub fn aclrtLaunchKernelWithConfig(
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        argsHandle: aclrtArgsHandle,
        reserve: *mut c_void,
    ) -> aclError;
    /// Does the same as `aclrtLaunchKernel`, with arguments on the host.
    ///
    /// - `funcHandle`: the kernel
    /// - `numBlocks`: how many blocks
    /// - `stream`: the stream
    /// - `cfg`: may be NULL
    /// - `hostArgs`: the arguments
    /// - `argsSize`: their bytes
    /// - `placeHolderArray`: where addresses are to be filled in
    /// - `placeHolderNum`: how many
    pub fn aclrtLaunchKernelWithHostArgs(
        funcHandle: aclrtFuncHandle,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        hostArgs: *mut c_void,
        argsSize: usize,
        placeHolderArray: *mut aclrtPlaceHolderInfo,
        placeHolderNum: usize,
    ) -> aclError;
    /// Returns the error of a device.
    ///
    /// - `deviceId`: the device
    /// - `errorInfo`: receives it
    pub fn aclrtGetErrorVerbose(
        deviceId: i32,
        errorInfo: *mut aclrtErrorInfo,
    ) -> aclError;
    /// Repairs an error of a device.
    ///
    /// - `deviceId`: the device
    /// - `errorInfo`: the error
    pub fn aclrtRepairError(deviceId: i32, errorInfo: *const aclrtErrorInfo) -> aclError;
    /// Discards all work of a device.
    ///
    /// - `deviceId`: the device
    /// - `timeout`: milliseconds to wait for it; 0 for no limit
    pub fn aclrtDeviceTaskAbort(deviceId: i32, timeout: u32) -> aclError;
    /// Returns the load of a device.
    ///
    /// - `deviceId`: the device
    /// - `utilizationInfo`: receives it
    pub fn aclrtGetDeviceUtilizationRate(
        deviceId: i32,
        utilizationInfo: *mut aclrtUtilizationInfo,
    ) -> aclError;
    /// Returns the process id of this process outside of containers.
    ///
    /// - `pid`: receives it
    pub fn aclrtDeviceGetBareTgid(pid: *mut i32) -> aclError;
    /// Returns whether the default context of a device exists.
    ///
    /// - `deviceId`: the device
    /// - `flags`: receives 0; may be NULL
    /// - `active`: receives 1 or 0; may be NULL
    pub fn aclrtGetPrimaryCtxState(
        deviceId: i32,
        flags: *mut u32,
        active: *mut i32,
    ) -> aclError;
    /// Returns the number that the driver knows a device by.
    ///
    /// - `userDevid`: the number that programs use
    /// - `logicDevId`: receives the number
    pub fn aclrtGetLogicDevIdByUserDevId(
        userDevid: i32,
        logicDevId: *mut i32,
    ) -> aclError;
    /// Sets the function that is called when a task fails on a device.
    ///
    /// - `callback`: the function; NULL for none
    pub fn aclrtSetExceptionInfoCallback(
        callback: aclrtExceptionInfoCallback,
    ) -> aclError;
    /// Returns the number of the task that failed.
    pub fn aclrtGetTaskIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
    /// Returns the number of the stream of the task that failed.
    pub fn aclrtGetStreamIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
    /// Returns the number of the thread that submitted the task that failed.
    pub fn aclrtGetThreadIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
    /// Returns the device on which the task failed.
    pub fn aclrtGetDeviceIdFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
    /// Returns the error code of the task that failed.
    pub fn aclrtGetErrorCodeFromExceptionInfo(info: *const aclrtExceptionInfo) -> u32;
    /// Sets the function that `aclInit` calls.
    pub fn aclInitCallbackRegister(
        type_: aclRegisterCallbackType,
        cbFunc: aclInitCallbackFunc,
        userData: *mut c_void,
    ) -> aclError;
    /// Undoes `aclInitCallbackRegister`.
    pub fn aclInitCallbackUnRegister(
        type_: aclRegisterCallbackType,
        cbFunc: aclInitCallbackFunc,
    ) -> aclError;
    /// Sets the function that `aclFinalize` calls.
    pub fn aclFinalizeCallbackRegister(
        type_: aclRegisterCallbackType,
        cbFunc: aclFinalizeCallbackFunc,
        userData: *mut c_void,
    ) -> aclError;
    /// Undoes `aclFinalizeCallbackRegister`.
    pub fn aclFinalizeCallbackUnRegister(
        type_: aclRegisterCallbackType,
        cbFunc: aclFinalizeCallbackFunc,
    ) -> aclError;
    /// Sets the function that is called when a device is set or reset; NULL removes the function of that name.
    pub fn aclrtRegDeviceStateCallback(
        regName: *const c_char,
        callback: aclrtDeviceStateCallback,
        args: *mut c_void,
    ) -> aclError;
    /// Sets the function that is called when a stream is made or destroyed; NULL removes the function of that name.
    pub fn aclrtRegStreamStateCallback(
        regName: *const c_char,
        callback: aclrtStreamStateCallback,
        args: *mut c_void,
    ) -> aclError;
    /// Sets the function that is called when the work of a device is discarded; NULL removes it.
    pub fn aclrtSetDeviceTaskAbortCallback(
        regName: *const c_char,
        callback: aclrtDeviceTaskAbortCallback,
        args: *mut c_void,
    ) -> aclError;
    /// Adds a function that is called when a task fails on a device.
    pub fn aclrtExceptionInfoCallbackRegister(
        callback: aclrtExceptionInfoCallback,
    ) -> aclError;
    /// Undoes `aclrtExceptionInfoCallbackRegister`.
    pub fn aclrtExceptionInfoCallbackUnregister(
        callback: aclrtExceptionInfoCallback,
    ) -> aclError;
    /// Lets a thread run the host functions of a stream.
    pub fn aclrtSubscribeHostFunc(
        hostFuncThreadId: u64,
        exeStream: aclrtStream,
    ) -> aclError;
    /// Runs the host functions that are due on this thread.
    pub fn aclrtProcessHostFunc(timeout: i32) -> aclError;
    /// Undoes `aclrtSubscribeHostFunc`.
    pub fn aclrtUnSubscribeHostFunc(
        hostFuncThreadId: u64,
        exeStream: aclrtStream,
    ) -> aclError;
    /// Begins a graph that is built from streams.
    pub fn aclmdlRIBuildBegin(modelRI: *mut aclmdlRI, flag: u32) -> aclError;
    /// Gives the work of a stream to a graph that is being built.
    pub fn aclmdlRIBindStream(
        modelRI: aclmdlRI,
        stream: aclrtStream,
        flag: u32,
    ) -> aclError;
    /// Undoes `aclmdlRIBindStream`.
    pub fn aclmdlRIUnbindStream(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
    /// Marks the end of the graph in one of its streams.
    pub fn aclmdlRIEndTask(modelRI: aclmdlRI, stream: aclrtStream) -> aclError;
    /// Ends the building of a graph.
    pub fn aclmdlRIBuildEnd(
        modelRI: aclmdlRI,
        reserve: *mut c_void,
    ) -> aclError;
    /// Stops a graph that runs.
    pub fn aclmdlRIAbort(modelRI: aclmdlRI) -> aclError;
    /// Applies the changes of tasks, from the next run on.
    pub fn aclmdlRIUpdate(modelRI: aclmdlRI) -> aclError;
    /// Names a graph.
    pub fn aclmdlRISetName(
        modelRI: aclmdlRI,
        name: *const c_char,
    ) -> aclError;
    /// Writes the name of a graph.
    pub fn aclmdlRIGetName(
        modelRI: aclmdlRI,
        maxLen: u32,
        name: *mut c_char,
    ) -> aclError;
    /// Lists the streams of a graph; the number of places becomes the number of streams.
    pub fn aclmdlRIGetStreams(
        modelRI: aclmdlRI,
        streams: *mut aclrtStream,
        numStreams: *mut u32,
    ) -> aclError;
    /// Lists the tasks of a stream; the number of places becomes the number of tasks.
    pub fn aclmdlRIGetTasksByStream(
        stream: aclrtStream,
        tasks: *mut aclmdlRITask,
        numTasks: *mut u32,
    ) -> aclError;
    /// Returns the kind of a task.
    pub fn aclmdlRITaskGetType(
        task: aclmdlRITask,
        type_: *mut aclmdlRITaskType,
    ) -> aclError;
    /// Returns the number of a task.
    pub fn aclmdlRITaskGetSeqId(task: aclmdlRITask, id: *mut u32) -> aclError;
    /// Reads a task.
    pub fn aclmdlRITaskGetParams(
        task: aclmdlRITask,
        params: *mut aclmdlRITaskParams,
    ) -> aclError;
    /// Replaces a task.
    pub fn aclmdlRITaskSetParams(
        task: aclmdlRITask,
        params: *mut aclmdlRITaskParams,
    ) -> aclError;
    /// Leaves a task out.
    pub fn aclmdlRITaskDisable(task: aclmdlRITask) -> aclError;
    /// Reads an option of a launch.
    pub fn aclmdlRIKernelTaskGetAttribute(
        task: aclmdlRITask,
        attrId: aclrtLaunchKernelAttrId,
        attrValue: *mut aclrtLaunchKernelAttrValue,
    ) -> aclError;
    /// Calls a function when a graph is destroyed.
    pub fn aclmdlRIDestroyRegisterCallback(
        modelRI: aclmdlRI,
        func: aclrtCallback,
        userData: *mut c_void,
    ) -> aclError;
    /// Undoes `aclmdlRIDestroyRegisterCallback`.
    pub fn aclmdlRIDestroyUnregisterCallback(
        modelRI: aclmdlRI,
        func: aclrtCallback,
    ) -> aclError;
    /// Makes a description of groups of cores. NULL on failure.
    pub fn aclrtCreateGroupInfo() -> *mut aclrtGroupInfo;
    /// Frees the result of `aclrtCreateGroupInfo`.
    pub fn aclrtDestroyGroupInfo(groupInfo: *mut aclrtGroupInfo) -> aclError;
    /// Reads the groups of the current device.
    pub fn aclrtGetAllGroupInfo(groupInfo: *mut aclrtGroupInfo) -> aclError;
    /// Returns a number that describes a group.
    pub fn aclrtGetGroupInfoDetail(
        groupInfo: *const aclrtGroupInfo,
        groupIndex: i32,
        attr: aclrtGroupAttr,
        attrValue: *mut c_void,
        valueLen: u64,
        paramRetSize: *mut u64,
    ) -> aclError;
    /// Chooses the scheduler of the device for this thread.
    pub fn aclrtSetTsDevice(tsId: aclrtTsId) -> aclError;
    /// Returns the device address of a loaded program, and its size in bytes.
    pub fn aclrtBinaryGetDevAddress(
        binHandle: aclrtBinHandle,
        binAddr: *mut *mut c_void,
        binSize: *mut u64,
    ) -> aclError;
    /// Finds a kernel of a loaded program by its number.
    pub fn aclrtBinaryGetFunctionByEntry(
        binHandle: aclrtBinHandle,
        funcEntry: u64,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError;
    /// Finds a global variable of a loaded program.
    pub fn aclrtBinaryGetGlobal(
        binHandle: aclrtBinHandle,
        name: *const c_char,
        dptr: *mut *mut c_void,
        size: *mut u64,
    ) -> aclError;
    /// Sets the function that is called when a kernel of a program fails.
    pub fn aclrtBinarySetExceptionCallback(
        binHandle: aclrtBinHandle,
        callback: aclrtOpExceptionCallback,
        userData: *mut c_void,
    ) -> aclError;
    /// Registers a function of a program for the processors of a device.
    pub fn aclrtRegisterCpuFunc(
        handle: *mut c_void,
        funcName: *const c_char,
        kernelName: *const c_char,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError;
    /// Returns the local memory that is left for a block of a kernel, in bytes.
    pub fn aclrtFunctionGetAvailDynUbufPerBlock(
        func: aclrtFuncHandle,
        flags: u32,
        dynamicUbufSize: *mut u64,
    ) -> aclError;
    /// Returns the program of a kernel.
    pub fn aclrtFunctionGetBinary(
        funcHandle: aclrtFuncHandle,
        binHandle: *mut aclrtBinHandle,
    ) -> aclError;
    /// Counts the parameters of a kernel.
    pub fn aclrtFunctionGetParamCount(
        func: *const c_void,
        paramCount: *mut u64,
    ) -> aclError;
    /// Returns the offset of a parameter of a kernel, and its size in bytes.
    pub fn aclrtFunctionGetParamInfo(
        func: *const c_void,
        paramIndex: u64,
        paramOffset: *mut u64,
        paramSize: *mut u64,
    ) -> aclError;
    /// Finds the kernel that the host knows by an address.
    pub fn aclrtGetFuncBySymbol(
        symbol: *const c_void,
        funcHandle: *mut aclrtFuncHandle,
    ) -> aclError;
    /// Returns a number that describes a kernel.
    pub fn aclrtGetFunctionAttribute(
        funcHandle: aclrtFuncHandle,
        attrType: aclrtFuncAttribute,
        attrValue: *mut i64,
    ) -> aclError;
    /// Writes the name of a kernel.
    pub fn aclrtGetFunctionName(
        funcHandle: aclrtFuncHandle,
        maxLen: u32,
        name: *mut c_char,
    ) -> aclError;
    /// Returns the bytes of a kernel, for each kind of core.
    pub fn aclrtGetFunctionSize(
        funcHandle: aclrtFuncHandle,
        aicSize: *mut u64,
        aivSize: *mut u64,
    ) -> aclError;
    /// Returns the kernel that failed.
    pub fn aclrtGetFuncHandleFromExceptionInfo(
        info: *const aclrtExceptionInfo,
        func: *mut aclrtFuncHandle,
    ) -> aclError;
    /// Returns the arguments of the kernel that failed.
    pub fn aclrtGetArgsFromExceptionInfo(
        info: *const aclrtExceptionInfo,
        devArgsPtr: *mut *mut c_void,
        devArgsLen: *mut u32,
    ) -> aclError;
    /// Returns the bytes that a handle of arguments takes.
    pub fn aclrtKernelArgsGetHandleMemSize(
        funcHandle: aclrtFuncHandle,
        memSize: *mut u64,
    ) -> aclError;
    /// Returns the bytes that arguments take.
    pub fn aclrtKernelArgsGetMemSize(
        funcHandle: aclrtFuncHandle,
        userArgsSize: u64,
        actualArgsSize: *mut u64,
    ) -> aclError;
    /// Begins the arguments of a launch in memory of the program.
    pub fn aclrtKernelArgsInitByUserMem(
        funcHandle: aclrtFuncHandle,
        argsHandle: aclrtArgsHandle,
        userHostMem: *mut c_void,
        actualArgsSize: u64,
    ) -> aclError;
    /// Adds an argument that is the address of data behind the arguments.
    pub fn aclrtKernelArgsAppendPlaceHolder(
        argsHandle: aclrtArgsHandle,
        paramHandle: *mut aclrtParamHandle,
    ) -> aclError;
    /// Returns the address for the data of such an argument.
    pub fn aclrtKernelArgsGetPlaceHolderBuffer(
        argsHandle: aclrtArgsHandle,
        paramHandle: aclrtParamHandle,
        dataSize: u64,
        bufferAddr: *mut *mut c_void,
    ) -> aclError;
    /// Replaces an argument.
    pub fn aclrtKernelArgsParaUpdate(
        argsHandle: aclrtArgsHandle,
        paramHandle: aclrtParamHandle,
        param: *mut c_void,
        paramSize: u64,
    ) -> aclError;
    /// Launches a kernel with an array of addresses of its arguments.
    pub fn aclrtLaunchKernelWithArgsArray(
        func: aclrtFuncHandle,
        numBlocks: u32,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        args: *mut *mut c_void,
    ) -> aclError;
    /// Launches a kernel of threads with an array of addresses of its arguments.
    pub fn aclrtLaunchSIMTKernelWithArgsArray(
        func: aclrtFuncHandle,
        gridDim: dim3,
        blockDim: dim3,
        dynUbufSize: u64,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        args: *mut *mut c_void,
    ) -> aclError;
    /// Launches a kernel of threads with arguments in host memory.
    pub fn aclrtLaunchSIMTKernelWithHostArgs(
        func: aclrtFuncHandle,
        gridDim: dim3,
        blockDim: dim3,
        dynUbufSize: u64,
        stream: aclrtStream,
        cfg: *mut aclrtLaunchKernelCfg,
        hostArgs: *mut c_void,
        argsSize: u64,
        placeHolderArray: *mut aclrtPlaceHolderInfo,
        placeHolderNum: u64,
    ) -> aclError;
    /// Makes a label.
    pub fn aclrtCreateLabel(label: *mut aclrtLabel) -> aclError;
    /// Destroys a label.
    pub fn aclrtDestroyLabel(label: aclrtLabel) -> aclError;
    /// Puts a label at the end of the work of a stream.
    pub fn aclrtSetLabel(label: aclrtLabel, stream: aclrtStream) -> aclError;
    /// Makes a list of labels.
    pub fn aclrtCreateLabelList(
        labels: *mut aclrtLabel,
        num: u64,
        labelList: *mut aclrtLabelList,
    ) -> aclError;
    /// Destroys a list of labels.
    pub fn aclrtDestroyLabelList(labelList: aclrtLabelList) -> aclError;
    /// Jumps to the label of a list whose number is in memory, in stream order.
    pub fn aclrtSwitchLabelByIndex(
        ptr: *mut c_void,
        maxValue: u32,
        labelList: aclrtLabelList,
        stream: aclrtStream,
    ) -> aclError;
    /// Lets another stream start a stream of a model, in stream order.
    pub fn aclrtActiveStream(activeStream: aclrtStream, stream: aclrtStream) -> aclError;
    /// Starts one of two streams of a model, chosen by a comparison, in stream order.
    pub fn aclrtSwitchStream(
        leftValue: *mut c_void,
        cond: aclrtCondition,
        rightValue: *mut c_void,
        dataType: aclrtCompareDataType,
        trueStream: aclrtStream,
        falseStream: aclrtStream,
        stream: aclrtStream,
    ) -> aclError;
    /// Allocates memory that host and devices reach by one address.
    pub fn aclrtMemAllocManaged(
        ptr: *mut *mut c_void,
        size: u64,
        flag: u32,
    ) -> aclError;
    /// Gives the runtime advice on the use of such memory.
    pub fn aclrtMemManagedAdvise(
        ptr: *const c_void,
        size: u64,
        advise: aclrtMemManagedAdviseType,
        location: aclrtMemManagedLocation,
    ) -> aclError;
    /// Answers a question about such memory.
    pub fn aclrtMemManagedGetAttr(
        attribute: aclrtMemManagedRangeAttribute,
        ptr: *const c_void,
        size: u64,
        data: *mut c_void,
        dataSize: u64,
    ) -> aclError;
    /// Answers several questions about such memory.
    pub fn aclrtMemManagedGetAttrs(
        attributes: *mut aclrtMemManagedRangeAttribute,
        numAttributes: u64,
        ptr: *const c_void,
        size: u64,
        data: *mut *mut c_void,
        dataSizes: *mut u64,
    ) -> aclError;
    /// Moves such memory in stream order.
    pub fn aclrtMemManagedPrefetchAsync(
        ptr: *const c_void,
        size: u64,
        location: aclrtMemManagedLocation,
        flags: u32,
        stream: aclrtStream,
    ) -> aclError;
    /// Moves several pieces of such memory in stream order.
    pub fn aclrtMemManagedPrefetchBatchAsync(
        ptrs: *mut *const c_void,
        sizes: *mut u64,
        count: u64,
        prefetchLocs: *mut aclrtMemManagedLocation,
        prefetchLocIdxs: *mut u64,
        numPrefetchLocs: u64,
        flags: u64,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns whether all addresses lie in memory of a kind.
    pub fn aclrtCheckMemType(
        addrList: *mut *mut c_void,
        size: u32,
        memType: u32,
        checkResult: *mut u32,
        reserve: u32,
    ) -> aclError;
    /// Reserves addresses for memory that stays reachable after an error of hardware.
    pub fn aclrtReserveMemAddressNoUCMemory(
        virPtr: *mut *mut c_void,
        size: u64,
        alignment: u64,
        expectPtr: *mut c_void,
        flags: u64,
    ) -> aclError;
    /// Maps physical memory that no device reaches yet.
    pub fn aclrtMemMapNoAccess(
        virPtr: *mut c_void,
        size: u64,
        offset: u64,
        handle: aclrtDrvMemHandle,
        flags: u64,
    ) -> aclError;
    /// Maps memory a second time, to be reached by a link.
    pub fn aclrtMemMapSelectedLink(
        virPtrDst: *mut c_void,
        size: u64,
        virPtrSrc: *mut c_void,
        linkIdx: u32,
    ) -> aclError;
    /// Sets the preferred link to physical memory.
    pub fn aclrtMemMapSetLink(
        handle: aclrtDrvMemHandle,
        adviceLink: aclrtMemLinkType,
    ) -> aclError;
    /// Lets another device reach memory.
    pub fn aclrtMemP2PMap(
        devPtr: *mut c_void,
        size: u64,
        dstDevId: i32,
        flags: u64,
    ) -> aclError;
    /// Makes a key by which another process can reach an allocation.
    ///
    /// - `devPtr`: start of the allocation
    /// - `size`: bytes
    /// - `key`: receives the key
    /// - `len`: bytes there, at least 65
    /// - `flags`: `ACL_RT_IPC_MEM_EXPORT_FLAG_…`
    pub fn aclrtIpcMemGetExportKey(
        devPtr: *mut c_void,
        size: usize,
        key: *mut c_char,
        len: usize,
        flags: u64,
    ) -> aclError;
    /// Reaches memory by its key.
    ///
    /// - `devPtr`: receives the address
    /// - `key`: the key
    /// - `flags`: `ACL_RT_IPC_MEM_IMPORT_FLAG_…`
    pub fn aclrtIpcMemImportByKey(
        devPtr: *mut *mut c_void,
        key: *const c_char,
        flags: u64,
    ) -> aclError;
    /// Sets which processes may use a key.
    ///
    /// - `key`: the key
    /// - `pid`: the processes
    /// - `num`: how many
    pub fn aclrtIpcMemSetImportPid(
        key: *const c_char,
        pid: *mut i32,
        num: usize,
    ) -> aclError;
    /// Undoes `aclrtIpcMemGetExportKey` or `aclrtIpcMemImportByKey`.
    pub fn aclrtIpcMemClose(key: *const c_char) -> aclError;
    /// Makes a number by which another process can reach physical memory.
    ///
    /// - `handle`: the physical memory
    /// - `handleType`: how it is shared
    /// - `flags`: `ACL_RT_VMM_EXPORT_FLAG_…`
    /// - `shareableHandle`: receives the number
    pub fn aclrtMemExportToShareableHandle(
        handle: aclrtDrvMemHandle,
        handleType: aclrtMemHandleType,
        flags: u64,
        shareableHandle: *mut u64,
    ) -> aclError;
    /// Makes a handle by which another process can reach physical memory.
    ///
    /// - `handle`: the physical memory
    /// - `flags`: `ACL_RT_VMM_EXPORT_FLAG_…`
    /// - `shareType`: how the handle is passed on
    /// - `shareableHandle`: receives the handle
    pub fn aclrtMemExportToShareableHandleV2(
        handle: aclrtDrvMemHandle,
        flags: u64,
        shareType: aclrtMemSharedHandleType,
        shareableHandle: *mut c_void,
    ) -> aclError;
    /// Reaches physical memory by its number.
    ///
    /// - `shareableHandle`: the number
    /// - `deviceId`: the device that reaches it
    /// - `handle`: receives the physical memory
    pub fn aclrtMemImportFromShareableHandle(
        shareableHandle: u64,
        deviceId: i32,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError;
    /// Reaches physical memory by its handle.
    ///
    /// - `shareableHandle`: the handle
    /// - `shareType`: how it was passed on
    /// - `flags`: 0
    /// - `handle`: receives the physical memory
    pub fn aclrtMemImportFromShareableHandleV2(
        shareableHandle: *mut c_void,
        shareType: aclrtMemSharedHandleType,
        flags: u64,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError;
    /// Sets which processes may use a number.
    ///
    /// - `shareableHandle`: the number
    /// - `pid`: the processes
    /// - `pidNum`: how many
    pub fn aclrtMemSetPidToShareableHandle(
        shareableHandle: u64,
        pid: *mut i32,
        pidNum: usize,
    ) -> aclError;
    /// Sets which processes may use a handle.
    ///
    /// - `shareableHandle`: the handle
    /// - `shareType`: how it is passed on
    /// - `pid`: the processes
    /// - `pidNum`: how many
    pub fn aclrtMemSetPidToShareableHandleV2(
        shareableHandle: *mut c_void,
        shareType: aclrtMemSharedHandleType,
        pid: *mut i32,
        pidNum: usize,
    ) -> aclError;
    /// Sets a property of a key.
    pub fn aclrtIpcMemSetAttr(
        key: *const c_char,
        type_: aclrtIpcMemAttrType,
        attr: u64,
    ) -> aclError;
    /// Sets which processes of other servers may use a key.
    pub fn aclrtIpcMemImportPidInterServer(
        key: *const c_char,
        serverPids: *mut aclrtServerPid,
        num: u64,
    ) -> aclError;
    /// Makes a notify on the current device.
    ///
    /// - `notify`: receives it
    /// - `flag`: `ACL_NOTIFY_…`
    pub fn aclrtCreateNotify(notify: *mut aclrtNotify, flag: u64) -> aclError;
    /// Destroys a notify.
    pub fn aclrtDestroyNotify(notify: aclrtNotify) -> aclError;
    /// Gives the signal in stream order.
    ///
    /// - `notify`: the signal
    /// - `stream`: the stream
    pub fn aclrtRecordNotify(notify: aclrtNotify, stream: aclrtStream) -> aclError;
    /// Lets a stream wait for the signal, and takes it.
    ///
    /// - `notify`: the signal
    /// - `stream`: the stream
    /// - `timeout`: how long; 0 for no limit
    pub fn aclrtWaitAndResetNotify(
        notify: aclrtNotify,
        stream: aclrtStream,
        timeout: u32,
    ) -> aclError;
    /// Returns the number of a notify.
    ///
    /// - `notify`: the notify
    /// - `notifyId`: receives it
    pub fn aclrtGetNotifyId(notify: aclrtNotify, notifyId: *mut u32) -> aclError;
    /// Lets another process reach an event made with `ACL_EVENT_IPC`.
    ///
    /// - `event`: the event
    /// - `handle`: receives the data for the other process
    pub fn aclrtIpcGetEventHandle(
        event: aclrtEvent,
        handle: *mut aclrtIpcEventHandle,
    ) -> aclError;
    /// Reaches an event of another process.
    ///
    /// - `handle`: the data of that process
    /// - `event`: receives the event
    pub fn aclrtIpcOpenEventHandle(
        handle: aclrtIpcEventHandle,
        event: *mut aclrtEvent,
    ) -> aclError;
    /// Takes the signals of several notifies.
    pub fn aclrtNotifyBatchReset(notifies: *mut aclrtNotify, num: u64) -> aclError;
    /// Makes a key by which another process can reach a notify.
    pub fn aclrtNotifyGetExportKey(
        notify: aclrtNotify,
        key: *mut c_char,
        len: u64,
        flags: u64,
    ) -> aclError;
    /// Reaches a notify by its key.
    pub fn aclrtNotifyImportByKey(
        notify: *mut aclrtNotify,
        key: *const c_char,
        flags: u64,
    ) -> aclError;
    /// Sets which processes may reach a notify.
    pub fn aclrtNotifySetImportPid(
        notify: aclrtNotify,
        pid: *mut i32,
        num: u64,
    ) -> aclError;
    /// Sets which processes of other servers may reach a notify.
    pub fn aclrtNotifySetImportPidInterServer(
        notify: aclrtNotify,
        serverPids: *mut aclrtServerPid,
        num: u64,
    ) -> aclError;
    /// Sets an attribute of a stream.
    ///
    /// - `stream`: the stream
    /// - `stmAttrType`: which
    /// - `value`: its value
    pub fn aclrtSetStreamAttribute(
        stream: aclrtStream,
        stmAttrType: aclrtStreamAttr,
        value: *mut aclrtStreamAttrValue,
    ) -> aclError;
    /// Returns an attribute of a stream.
    ///
    /// - `stream`: the stream
    /// - `stmAttrType`: which
    /// - `value`: receives its value
    pub fn aclrtGetStreamAttribute(
        stream: aclrtStream,
        stmAttrType: aclrtStreamAttr,
        value: *mut aclrtStreamAttrValue,
    ) -> aclError;
    /// Sets whether a stream looks for overflow of floats.
    ///
    /// - `stream`: the stream
    /// - `flag`: 1 or 0
    pub fn aclrtSetStreamOverflowSwitch(stream: aclrtStream, flag: u32) -> aclError;
    /// Returns whether a stream looks for overflow of floats.
    ///
    /// - `stream`: the stream
    /// - `flag`: receives 1 or 0
    pub fn aclrtGetStreamOverflowSwitch(stream: aclrtStream, flag: *mut u32) -> aclError;
    /// Copies the overflow status of a stream, in stream order.
    ///
    /// - `outputAddr`: where to, on the device
    /// - `outputSize`: bytes there
    /// - `stream`: the stream
    pub fn aclrtGetOverflowStatus(
        outputAddr: *mut c_void,
        outputSize: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Clears the overflow status of a stream, in stream order.
    pub fn aclrtResetOverflowStatus(stream: aclrtStream) -> aclError;
    /// Returns the number of cores of a device that this process may use.
    ///
    /// - `deviceId`: the device
    /// - `type`: kind of core
    /// - `value`: receives the number
    pub fn aclrtGetDeviceResLimit(
        deviceId: i32,
        type_: aclrtDevResLimitType,
        value: *mut u32,
    ) -> aclError;
    /// Limits the cores of a device that this process may use.
    ///
    /// - `deviceId`: the device
    /// - `type`: kind of core
    /// - `value`: the number
    pub fn aclrtSetDeviceResLimit(
        deviceId: i32,
        type_: aclrtDevResLimitType,
        value: u32,
    ) -> aclError;
    /// Undoes `aclrtSetDeviceResLimit`.
    ///
    /// - `deviceId`: the device
    pub fn aclrtResetDeviceResLimit(deviceId: i32) -> aclError;
    /// Returns the number of cores that a stream may use.
    ///
    /// - `stream`: the stream
    /// - `type`: kind of core
    /// - `value`: receives the number
    pub fn aclrtGetStreamResLimit(
        stream: aclrtStream,
        type_: aclrtDevResLimitType,
        value: *mut u32,
    ) -> aclError;
    /// Limits the cores that a stream may use.
    ///
    /// - `stream`: the stream
    /// - `type`: kind of core
    /// - `value`: the number
    pub fn aclrtSetStreamResLimit(
        stream: aclrtStream,
        type_: aclrtDevResLimitType,
        value: u32,
    ) -> aclError;
    /// Undoes `aclrtSetStreamResLimit`.
    pub fn aclrtResetStreamResLimit(stream: aclrtStream) -> aclError;
    /// Lets the limits of a stream hold for this thread.
    pub fn aclrtUseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
    /// Undoes `aclrtUseStreamResInCurrentThread`. Had no parameter before CANN 8.5.
    pub fn aclrtUnuseStreamResInCurrentThread(stream: aclrtStream) -> aclError;
    /// Returns the number of cores that this thread may use.
    ///
    /// - `type`: kind of core
    /// - `value`: receives the number
    pub fn aclrtGetResInCurrentThread(
        type_: aclrtDevResLimitType,
        value: *mut u32,
    ) -> aclError;
    /// Chooses a group of cores for this thread.
    ///
    /// - `groupId`: the group
    pub fn aclrtSetGroup(groupId: i32) -> aclError;
    /// Returns the number of groups of cores.
    ///
    /// - `count`: receives it
    pub fn aclrtGetGroupCount(count: *mut u32) -> aclError;
    /// Stops the work of a process on its devices.
    pub fn aclrtSnapShotProcessLock(
        pid: i32,
        reserve: *mut c_void,
    ) -> aclError;
    /// Undoes `aclrtSnapShotProcessLock`.
    pub fn aclrtSnapShotProcessUnlock(
        pid: i32,
        reserve: *mut c_void,
    ) -> aclError;
    /// Saves the state of a process on its devices.
    pub fn aclrtSnapShotProcessBackup(
        pid: i32,
        args: *mut aclrtSnapShotBackupArgs,
    ) -> aclError;
    /// Restores the saved state of a process.
    pub fn aclrtSnapShotProcessRestore(
        pid: i32,
        args: *mut aclrtSnapShotRestoreArgs,
    ) -> aclError;
    /// Sets the function that is called at a stage.
    pub fn aclrtSnapShotCallbackRegister(
        stage: aclrtSnapShotStage,
        callback: aclrtSnapShotCallBack,
        args: *mut c_void,
    ) -> aclError;
    /// Undoes `aclrtSnapShotCallbackRegister`.
    pub fn aclrtSnapShotCallbackUnregister(
        stage: aclrtSnapShotStage,
        callback: aclrtSnapShotCallBack,
    ) -> aclError;
    /// Makes settings. NULL on failure.
    pub fn aclrtCreateStreamConfigHandle() -> *mut aclrtStreamConfigHandle;
    /// Frees settings.
    pub fn aclrtDestroyStreamConfigHandle(
        handle: *mut aclrtStreamConfigHandle,
    ) -> aclError;
    /// Sets one of them.
    pub fn aclrtSetStreamConfigOpt(
        handle: *mut aclrtStreamConfigHandle,
        attr: aclrtStreamConfigAttr,
        attrValue: *const c_void,
        valueSize: u64,
    ) -> aclError;
    /// Makes a stream with settings.
    pub fn aclrtCreateStreamV2(
        stream: *mut aclrtStream,
        handle: *const aclrtStreamConfigHandle,
    ) -> aclError;
    /// Stops a stream.
    pub fn aclrtStreamStop(stream: aclrtStream) -> aclError;
    /// Discards the work of a stream made with `ACL_STREAM_PERSISTENT`.
    pub fn aclrtPersistentTaskClean(stream: aclrtStream) -> aclError;
    /// Marks the work given to a stream; the flag 1 keeps the record out of a captured graph.
    pub fn aclrtRecordEventWithFlag(
        event: aclrtEvent,
        stream: aclrtStream,
        flag: u32,
    ) -> aclError;
    /// Lets a stream wait for an event; the flag 1 keeps the wait out of a captured graph.
    pub fn aclrtStreamWaitEventWithFlag(
        stream: aclrtStream,
        event: aclrtEvent,
        timeout: u32,
        flag: u32,
    ) -> aclError;
    /// Replaces a task in stream order.
    pub fn aclrtTaskUpdateAsync(
        taskStream: aclrtStream,
        taskId: u32,
        info: *mut aclrtTaskUpdateInfo,
        execStream: aclrtStream,
    ) -> aclError;
    /// Fills memory with random numbers in stream order.
    pub fn aclrtRandomNumAsync(
        taskInfo: *const aclrtRandomNumTaskInfo,
        stream: aclrtStream,
        reserve: *mut c_void,
    ) -> aclError;
    /// Returns the number of the task that this thread submitted last.
    pub fn aclrtGetThreadLastTaskId(taskId: *mut u32) -> aclError;
    /// Keeps the description of the operator of the last task of this thread.
    pub fn aclrtCacheLastTaskOpInfo(
        infoPtr: *const c_void,
        infoSize: u64,
    ) -> aclError;
    /// Keeps a text with the last task of this thread.
    pub fn aclrtCacheLastTaskExtendInfo(
        extendInfoPtr: *const c_char,
        infoSize: u64,
    ) -> aclError;
    /// Returns the number of milliseconds that an operator may run.
    pub fn aclrtGetOpExecuteTimeout(timeoutMs: *mut u32) -> aclError;
    /// Puts bytes into the record of the profiler in stream order.
    pub fn aclrtProfTrace(
        userdata: *mut c_void,
        length: i32,
        stream: aclrtStream,
    ) -> aclError;
    /// Initialises the runtime. A second call returns 100002, which is no failure, and counts as one more user; one with
    /// another configuration returns 100000.
    ///
    /// - `configPath`: a JSON file; may be NULL
    pub fn aclInit(configPath: *const c_char) -> aclError;
    /// Ends the runtime, however often it was initialised. 100037 when it has ended already.
    pub fn aclFinalize() -> aclError;
    /// Undoes one `aclInit`, and ends the runtime with the last one. 100037 when it has ended already.
    ///
    /// - `refCount`: receives the users left; may be NULL
    pub fn aclFinalizeReference(refCount: *mut u64) -> aclError;
    /// Returns the last error message of this thread, or NULL. Reading clears it; the text lives until the next call on this
    /// thread.
    pub fn aclGetRecentErrMsg() -> *const c_char;
    /// Returns the last error of a task on this thread, and keeps it.
    ///
    /// - `level`: `ACL_RT_THREAD_LEVEL`
    pub fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError;
    /// Returns the last error of a task on this thread, and clears it.
    ///
    /// - `level`: `ACL_RT_THREAD_LEVEL`
    pub fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError;
    /// Returns the version of the runtime's interface, such as 1.16.0.
    ///
    /// - `majorVersion`: receives the first number
    /// - `minorVersion`: receives the second
    /// - `patchVersion`: receives the third
    pub fn aclrtGetVersion(
        majorVersion: *mut i32,
        minorVersion: *mut i32,
        patchVersion: *mut i32,
    ) -> aclError;
    /// Returns the version of an installed package. 100003 if the file with the version is missing.
    ///
    /// - `name`: the package
    /// - `version`: receives the version
    pub fn aclsysGetCANNVersion(
        name: aclCANNPackageName,
        version: *mut aclCANNPackageVersion,
    ) -> aclError;
    /// Returns the version of an installed package as text.
    ///
    /// - `pkgName`: name of the package
    /// - `versionStr`: receives the text; 128 bytes
    pub fn aclsysGetVersionStr(
        pkgName: *mut c_char,
        versionStr: *mut c_char,
    ) -> aclError;
    /// Returns the version of an installed package as a number that grows from release to release.
    ///
    /// - `pkgName`: name of the package
    /// - `versionNum`: receives major · 10⁷ + minor · 10⁵ + patch · 10³, less some hundreds for a pre-release
    pub fn aclsysGetVersionNum(
        pkgName: *mut c_char,
        versionNum: *mut i32,
    ) -> aclError;
    /// Makes a device the current one of this thread, with its default context and stream, which all threads share. Each
    /// call needs its own `aclrtResetDevice`.
    ///
    /// - `deviceId`: the device
    pub fn aclrtSetDevice(deviceId: i32) -> aclError;
    /// Undoes one `aclrtSetDevice`; the last one releases the device.
    ///
    /// - `deviceId`: the device
    pub fn aclrtResetDevice(deviceId: i32) -> aclError;
    /// Releases a device, however often it was set.
    ///
    /// - `deviceId`: the device
    pub fn aclrtResetDeviceForce(deviceId: i32) -> aclError;
    /// Returns the current device of this thread. 107002 when there is none.
    ///
    /// - `deviceId`: receives it
    pub fn aclrtGetDevice(deviceId: *mut i32) -> aclError;
    /// Returns the number of devices.
    ///
    /// - `count`: receives it
    pub fn aclrtGetDeviceCount(count: *mut u32) -> aclError;
    /// Returns the side on which this program runs.
    ///
    /// - `runMode`: receives it
    pub fn aclrtGetRunMode(runMode: *mut aclrtRunMode) -> aclError;
    /// Waits for all work on the current device.
    pub fn aclrtSynchronizeDevice() -> aclError;
    /// Waits for all work on the current device. 507046 when the time is up.
    ///
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeDeviceWithTimeout(timeout: i32) -> aclError;
    /// Sets the result that float operations give on overflow, for the current device.
    ///
    /// - `mode`: the behaviour
    pub fn aclrtSetDeviceSatMode(mode: aclrtFloatOverflowMode) -> aclError;
    /// Returns the result that float operations give on overflow, for the current device.
    ///
    /// - `mode`: receives the behaviour
    pub fn aclrtGetDeviceSatMode(mode: *mut aclrtFloatOverflowMode) -> aclError;
    /// Returns the health of a device.
    ///
    /// - `deviceId`: the device
    /// - `deviceStatus`: receives it
    pub fn aclrtQueryDeviceStatus(
        deviceId: i32,
        deviceStatus: *mut aclrtDeviceStatus,
    ) -> aclError;
    /// Returns a number that describes a device.
    ///
    /// - `deviceId`: the device
    /// - `attr`: which number
    /// - `value`: receives it
    pub fn aclrtGetDeviceInfo(
        deviceId: u32,
        attr: aclrtDevAttr,
        value: *mut i64,
    ) -> aclError;
    /// Returns whether a device has a feature.
    ///
    /// - `deviceId`: the device
    /// - `devFeatureType`: the feature
    /// - `value`: receives `ACL_DEV_FEATURE_SUPPORT` or `ACL_DEV_FEATURE_NOT_SUPPORT`
    pub fn aclrtGetDeviceCapability(
        deviceId: i32,
        devFeatureType: aclrtDevFeatureType,
        value: *mut i32,
    ) -> aclError;
    /// Returns the identity of a device.
    ///
    /// - `deviceId`: the device
    /// - `uuid`: receives it
    pub fn aclrtDeviceGetUuid(deviceId: i32, uuid: *mut aclrtUuid) -> aclError;
    /// Returns the range of the priorities of streams; a smaller number goes first.
    ///
    /// - `leastPriority`: receives the number that goes last
    /// - `greatestPriority`: receives the number that goes first
    pub fn aclrtDeviceGetStreamPriorityRange(
        leastPriority: *mut i32,
        greatestPriority: *mut i32,
    ) -> aclError;
    /// Returns whether a device can reach the memory of another. 100000 for equal devices.
    ///
    /// - `canAccessPeer`: receives 1 or 0
    /// - `deviceId`: the device that reaches
    /// - `peerDeviceId`: the device that is reached
    pub fn aclrtDeviceCanAccessPeer(
        canAccessPeer: *mut i32,
        deviceId: i32,
        peerDeviceId: i32,
    ) -> aclError;
    /// Lets the current device reach the memory of another. 100000 for equal devices.
    ///
    /// - `peerDeviceId`: the device that is reached
    /// - `flags`: 0; else 200006
    pub fn aclrtDeviceEnablePeerAccess(peerDeviceId: i32, flags: u32) -> aclError;
    /// Undoes `aclrtDeviceEnablePeerAccess`. 100000 for equal devices.
    ///
    /// - `peerDeviceId`: the device that was reached
    pub fn aclrtDeviceDisablePeerAccess(peerDeviceId: i32) -> aclError;
    /// Returns whether one device may reach the memory of another.
    ///
    /// - `deviceId`: the device that reaches
    /// - `peerDeviceId`: the device that is reached
    /// - `status`: receives 1 or 0
    pub fn aclrtDevicePeerAccessStatus(
        deviceId: i32,
        peerDeviceId: i32,
        status: *mut i32,
    ) -> aclError;
    /// Makes a context on a device.
    ///
    /// - `context`: receives it
    /// - `deviceId`: the device
    pub fn aclrtCreateContext(context: *mut aclrtContext, deviceId: i32) -> aclError;
    /// Destroys a context made by `aclrtCreateContext`.
    pub fn aclrtDestroyContext(context: aclrtContext) -> aclError;
    /// Makes a context the current one of this thread.
    pub fn aclrtSetCurrentContext(context: aclrtContext) -> aclError;
    /// Returns the current context of this thread. 107002 when there is none.
    ///
    /// - `context`: receives it
    pub fn aclrtGetCurrentContext(context: *mut aclrtContext) -> aclError;
    /// Returns the default stream of the current context.
    ///
    /// - `stream`: receives it
    pub fn aclrtCtxGetCurrentDefaultStream(stream: *mut aclrtStream) -> aclError;
    /// Returns the state of a switch of the current context.
    ///
    /// - `opt`: which
    /// - `value`: receives its state
    pub fn aclrtCtxGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
    /// Sets a switch of the current context.
    ///
    /// - `opt`: which
    /// - `value`: its state
    pub fn aclrtCtxSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
    /// Returns the state of a switch of the process. 107021 when it was never set.
    ///
    /// - `opt`: which
    /// - `value`: receives its state
    pub fn aclrtGetSysParamOpt(opt: aclSysParamOpt, value: *mut i64) -> aclError;
    /// Sets a switch of the process.
    ///
    /// - `opt`: which
    /// - `value`: its state
    pub fn aclrtSetSysParamOpt(opt: aclSysParamOpt, value: i64) -> aclError;
    /// Limits the time that a stream waits for an event.
    ///
    /// - `timeout`: the limit
    pub fn aclrtSetOpWaitTimeout(timeout: u32) -> aclError;
    /// Limits the time that an operator runs.
    ///
    /// - `timeout`: the limit
    pub fn aclrtSetOpExecuteTimeOut(timeout: u32) -> aclError;
    /// Limits the time that an operator runs.
    ///
    /// - `timeout`: milliseconds
    pub fn aclrtSetOpExecuteTimeOutWithMs(timeout: u32) -> aclError;
    /// Limits the time that an operator runs.
    ///
    /// - `timeout`: the limit
    /// - `actualTimeout`: receives the limit that the hardware keeps
    pub fn aclrtSetOpExecuteTimeOutV2(timeout: u64, actualTimeout: *mut u64) -> aclError;
    /// Returns the step to which the hardware rounds time limits.
    ///
    /// - `interval`: receives the step
    pub fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> aclError;
    /// Makes a stream in the current context.
    ///
    /// - `stream`: receives it
    pub fn aclrtCreateStream(stream: *mut aclrtStream) -> aclError;
    /// Makes a stream in the current context.
    ///
    /// - `stream`: receives it
    /// - `priority`: smaller goes first
    /// - `flag`: a sum of `ACL_STREAM_…`
    pub fn aclrtCreateStreamWithConfig(
        stream: *mut aclrtStream,
        priority: u32,
        flag: u32,
    ) -> aclError;
    /// Waits for the work of a stream and destroys it.
    pub fn aclrtDestroyStream(stream: aclrtStream) -> aclError;
    /// Destroys a stream at once, with the work left in it.
    pub fn aclrtDestroyStreamForce(stream: aclrtStream) -> aclError;
    /// Waits for the work of a stream. One made with PERSISTENT, CPU_SCHEDULE or DEVICE_USE_ONLY is not waited for.
    pub fn aclrtSynchronizeStream(stream: aclrtStream) -> aclError;
    /// Waits for the work of a stream. 507046 when the time is up.
    ///
    /// - `stream`: the stream
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeStreamWithTimeout(
        stream: aclrtStream,
        timeout: i32,
    ) -> aclError;
    /// Returns whether a stream has work left.
    ///
    /// - `stream`: the stream
    /// - `status`: receives the answer
    pub fn aclrtStreamQuery(
        stream: aclrtStream,
        status: *mut aclrtStreamStatus,
    ) -> aclError;
    /// Returns the number of a stream.
    ///
    /// - `stream`: the stream
    /// - `streamId`: receives it
    pub fn aclrtStreamGetId(stream: aclrtStream, streamId: *mut i32) -> aclError;
    /// Returns the priority of a stream; smaller goes first.
    ///
    /// - `stream`: the stream
    /// - `priority`: receives it
    pub fn aclrtStreamGetPriority(stream: aclrtStream, priority: *mut u32) -> aclError;
    /// Returns the flags that a stream was made with.
    ///
    /// - `stream`: the stream
    /// - `flags`: receives the sum of `ACL_STREAM_…`
    pub fn aclrtStreamGetFlags(stream: aclrtStream, flags: *mut u32) -> aclError;
    /// Lets a stream wait for an event before its next work.
    ///
    /// - `stream`: the stream
    /// - `event`: the event
    pub fn aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent) -> aclError;
    /// Lets a stream wait for an event before its next work, for a while.
    ///
    /// - `stream`: the stream
    /// - `event`: the event
    /// - `timeout`: milliseconds, at least 0
    pub fn aclrtStreamWaitEventWithTimeout(
        stream: aclrtStream,
        event: aclrtEvent,
        timeout: i32,
    ) -> aclError;
    /// Discards the work left in a stream.
    pub fn aclrtStreamAbort(stream: aclrtStream) -> aclError;
    /// Sets whether a stream goes on or stops after a failed task.
    ///
    /// - `stream`: the stream
    /// - `mode`: `ACL_CONTINUE_ON_FAILURE` or `ACL_STOP_ON_FAILURE`
    pub fn aclrtSetStreamFailureMode(stream: aclrtStream, mode: u64) -> aclError;
    /// Returns the number of streams that can still be made.
    ///
    /// - `streamCount`: receives it
    pub fn aclrtGetStreamAvailableNum(streamCount: *mut u32) -> aclError;
    /// Makes an event that may be recorded and waited for, and not reset.
    ///
    /// - `event`: receives it
    pub fn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError;
    /// Makes an event.
    ///
    /// - `event`: receives it
    /// - `flag`: a sum of `ACL_EVENT_…`
    pub fn aclrtCreateEventWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
    /// Makes an event that may be recorded again, and not be used with `aclrtResetEvent`, `aclrtQueryEvent` or
    /// `aclrtQueryEventWaitStatus`. Before its first record it counts as complete.
    ///
    /// - `event`: receives it
    /// - `flag`: a sum of `ACL_EVENT_…`
    pub fn aclrtCreateEventExWithFlag(event: *mut aclrtEvent, flag: u32) -> aclError;
    /// Destroys an event, which need not be complete.
    pub fn aclrtDestroyEvent(event: aclrtEvent) -> aclError;
    /// Marks the work given to a stream so far.
    ///
    /// - `event`: the mark
    /// - `stream`: the stream
    pub fn aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
    /// Makes an event as if it had never been recorded, in the order of a stream.
    ///
    /// - `event`: the event
    /// - `stream`: the stream
    pub fn aclrtResetEvent(event: aclrtEvent, stream: aclrtStream) -> aclError;
    /// Returns whether an event is complete. 0 is complete, unlike `aclrtQueryEventStatus`.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEvent(event: aclrtEvent, status: *mut aclrtEventStatus) -> aclError;
    /// Returns whether an event is complete. 1 is complete, unlike `aclrtQueryEvent`.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEventStatus(
        event: aclrtEvent,
        status: *mut aclrtEventRecordedStatus,
    ) -> aclError;
    /// Returns whether the streams that wait for an event have passed it.
    ///
    /// - `event`: the event
    /// - `status`: receives the answer
    pub fn aclrtQueryEventWaitStatus(
        event: aclrtEvent,
        status: *mut aclrtEventWaitStatus,
    ) -> aclError;
    /// Waits until an event is complete.
    pub fn aclrtSynchronizeEvent(event: aclrtEvent) -> aclError;
    /// Waits until an event is complete. 507047 when the time is up.
    ///
    /// - `event`: the event
    /// - `timeout`: milliseconds; -1 for no limit, less gives 107000
    pub fn aclrtSynchronizeEventWithTimeout(event: aclrtEvent, timeout: i32) -> aclError;
    /// Returns the time between two events that record the time.
    ///
    /// - `ms`: receives milliseconds
    /// - `startEvent`: the earlier event
    /// - `endEvent`: the later event
    pub fn aclrtEventElapsedTime(
        ms: *mut f32,
        startEvent: aclrtEvent,
        endEvent: aclrtEvent,
    ) -> aclError;
    /// Returns the time at which an event that records the time was complete.
    ///
    /// - `event`: the event
    /// - `timestamp`: receives the time
    pub fn aclrtEventGetTimestamp(event: aclrtEvent, timestamp: *mut u64) -> aclError;
    /// Returns the number of an event.
    ///
    /// - `event`: the event
    /// - `eventId`: receives it
    pub fn aclrtGetEventId(event: aclrtEvent, eventId: *mut u32) -> aclError;
    /// Returns the number of events that can still be made.
    ///
    /// - `eventCount`: receives it
    pub fn aclrtGetEventAvailNum(eventCount: *mut u32) -> aclError;
    /// Calls a function on a thread of the runtime in stream order; the stream waits for it. Not on a stream that
    /// also uses `aclrtLaunchCallback`.
    ///
    /// - `stream`: the stream
    /// - `fn`: the function
    /// - `args`: passed to it
    pub fn aclrtLaunchHostFunc(
        stream: aclrtStream,
        fn_: aclrtHostFunc,
        args: *mut c_void,
    ) -> aclError;
    /// Calls a function on the subscribed thread in stream order.
    ///
    /// - `fn`: the function
    /// - `userData`: passed to it
    /// - `blockType`: whether the stream waits for it
    /// - `stream`: the stream
    pub fn aclrtLaunchCallback(
        fn_: aclrtCallback,
        userData: *mut c_void,
        blockType: aclrtCallbackBlockType,
        stream: aclrtStream,
    ) -> aclError;
    /// Lets a thread run the callbacks of a stream.
    ///
    /// - `threadId`: the thread, as `pthread_self` returns it
    /// - `stream`: the stream
    pub fn aclrtSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
    /// Runs the callbacks that are due on this thread. 507012 when the time is up, 107012 for a thread that never subscribed.
    ///
    /// - `timeout`: milliseconds, more than 0; -1 for no limit, others give 100000
    pub fn aclrtProcessReport(timeout: i32) -> aclError;
    /// Undoes `aclrtSubscribeReport`.
    ///
    /// - `threadId`: the thread
    /// - `stream`: the stream
    pub fn aclrtUnSubscribeReport(threadId: u64, stream: aclrtStream) -> aclError;
    /// Allocates device memory, aligned to 512 bytes, contents undefined, with 32 spare bytes behind it. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMalloc(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Allocates device memory in multiples of 32 bytes, without spare bytes behind it. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMallocAlign32(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Allocates device memory that is cached. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    pub fn aclrtMallocCached(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
    ) -> aclError;
    /// Allocates device memory with attributes. 100000 for 0 bytes.
    ///
    /// - `devPtr`: receives the address
    /// - `size`: bytes
    /// - `policy`: size of the pages
    /// - `cfg`: attributes; may be NULL
    pub fn aclrtMallocWithCfg(
        devPtr: *mut *mut c_void,
        size: usize,
        policy: aclrtMemMallocPolicy,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError;
    /// Frees device memory, without waiting for work that uses it. 100000 for NULL.
    pub fn aclrtFree(devPtr: *mut c_void) -> aclError;
    /// Waits for all work on the device and frees device memory. 100000 for NULL.
    pub fn aclrtFreeWithDevSync(devPtr: *mut c_void) -> aclError;
    /// Takes pinned host memory, aligned to 64 bytes. 100000 for 0 bytes.
    ///
    /// - `hostPtr`: receives the address
    /// - `size`: bytes
    pub fn aclrtMallocHost(
        hostPtr: *mut *mut c_void,
        size: usize,
    ) -> aclError;
    /// Takes pinned host memory with attributes. 100000 for 0 bytes.
    ///
    /// - `ptr`: receives the address
    /// - `size`: bytes
    /// - `cfg`: attributes; may be NULL
    pub fn aclrtMallocHostWithCfg(
        ptr: *mut *mut c_void,
        size: u64,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError;
    /// Frees pinned host memory. 100000 for NULL.
    pub fn aclrtFreeHost(hostPtr: *mut c_void) -> aclError;
    /// Waits for all work on the device and frees pinned host memory. 100000 for NULL.
    pub fn aclrtFreeHostWithDevSync(hostPtr: *mut c_void) -> aclError;
    /// Copies at once. The direction follows from the pointers. Copying 0 bytes succeeds from CANN 9.1 on and gives 107000
    /// before.
    ///
    /// - `dst`: where to
    /// - `destMax`: bytes there; less than `count` gives 107000
    /// - `src`: where from
    /// - `count`: bytes to copy
    /// - `kind`: direction
    pub fn aclrtMemcpy(
        dst: *mut c_void,
        destMax: usize,
        src: *const c_void,
        count: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies in stream order; both sides must live until then. From host to host gives 207000.
    ///
    /// - `dst`: where to
    /// - `destMax`: bytes there; less than `count` gives 107000
    /// - `src`: where from
    /// - `count`: bytes to copy
    /// - `kind`: direction
    /// - `stream`: the stream
    pub fn aclrtMemcpyAsync(
        dst: *mut c_void,
        destMax: usize,
        src: *const c_void,
        count: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Copies a rectangle at once. Not from host to host.
    ///
    /// - `dst`: where to
    /// - `dpitch`: bytes from one row to the next there
    /// - `src`: where from
    /// - `spitch`: bytes from one row to the next there
    /// - `width`: bytes of a row; more than a pitch gives 100000
    /// - `height`: rows
    /// - `kind`: direction
    pub fn aclrtMemcpy2d(
        dst: *mut c_void,
        dpitch: usize,
        src: *const c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
    ) -> aclError;
    /// Copies a rectangle in stream order. Not from host to host.
    ///
    /// - `dst`: where to
    /// - `dpitch`: bytes from one row to the next there
    /// - `src`: where from
    /// - `spitch`: bytes from one row to the next there
    /// - `width`: bytes of a row; more than a pitch gives 100000
    /// - `height`: rows
    /// - `kind`: direction
    /// - `stream`: the stream
    pub fn aclrtMemcpy2dAsync(
        dst: *mut c_void,
        dpitch: usize,
        src: *const c_void,
        spitch: usize,
        width: usize,
        height: usize,
        kind: aclrtMemcpyKind,
        stream: aclrtStream,
    ) -> aclError;
    /// Sets bytes at once. Setting 0 bytes succeeds from CANN 9.1 on and gives 107000 before.
    ///
    /// - `devPtr`: where
    /// - `maxCount`: bytes there; less than `count` gives 107000
    /// - `value`: the byte
    /// - `count`: bytes to set
    pub fn aclrtMemset(
        devPtr: *mut c_void,
        maxCount: usize,
        value: i32,
        count: usize,
    ) -> aclError;
    /// Sets bytes in stream order.
    ///
    /// - `devPtr`: where
    /// - `maxCount`: bytes there; less than `count` gives 107000
    /// - `value`: the byte
    /// - `count`: bytes to set
    /// - `stream`: the stream
    pub fn aclrtMemsetAsync(
        devPtr: *mut c_void,
        maxCount: usize,
        value: i32,
        count: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Sets words of 32 bits at once. CANN 9.1 and later.
    ///
    /// - `ptr`: where
    /// - `memSize`: bytes there
    /// - `value`: the word
    /// - `N`: words to set
    pub fn aclrtMemsetD32(
        ptr: *mut c_void,
        memSize: usize,
        value: u32,
        N: usize,
    ) -> aclError;
    /// Sets words of 32 bits in stream order. CANN 9.1 and later.
    ///
    /// - `ptr`: where
    /// - `memSize`: bytes there
    /// - `value`: the word
    /// - `N`: words to set
    /// - `stream`: the stream
    pub fn aclrtMemsetD32Async(
        ptr: *mut c_void,
        memSize: usize,
        value: u32,
        N: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns the free and total memory of the current device.
    ///
    /// - `attr`: kind of memory
    /// - `free`: receives bytes
    /// - `total`: receives bytes
    pub fn aclrtGetMemInfo(
        attr: aclrtMemAttr,
        free: *mut usize,
        total: *mut usize,
    ) -> aclError;
    /// Returns the memory that each module of a device uses.
    ///
    /// - `deviceId`: the device
    /// - `memUsageInfo`: receives one entry per module
    /// - `inputNum`: entries there
    /// - `outputNum`: receives the entries written
    pub fn aclrtGetMemUsageInfo(
        deviceId: i32,
        memUsageInfo: *mut aclrtMemUsageInfo,
        inputNum: usize,
        outputNum: *mut usize,
    ) -> aclError;
    /// Returns the attributes of the memory that a pointer points to.
    ///
    /// - `ptr`: the pointer
    /// - `attributes`: receives the answer
    pub fn aclrtPointerGetAttributes(
        ptr: *const c_void,
        attributes: *mut aclrtPtrAttributes,
    ) -> aclError;
    /// Lets the device reach host memory.
    ///
    /// - `ptr`: start
    /// - `size`: bytes
    /// - `type`: how
    /// - `devPtr`: receives the address on the device
    pub fn aclrtHostRegister(
        ptr: *mut c_void,
        size: u64,
        type_: aclrtHostRegisterType,
        devPtr: *mut *mut c_void,
    ) -> aclError;
    /// Pins host memory, or lets the device reach it.
    ///
    /// - `ptr`: start
    /// - `size`: bytes
    /// - `flag`: a sum of `ACL_HOST_REG_…`
    pub fn aclrtHostRegisterV2(
        ptr: *mut c_void,
        size: u64,
        flag: u32,
    ) -> aclError;
    /// Undoes `aclrtHostRegister` or `aclrtHostRegisterV2`.
    pub fn aclrtHostUnregister(ptr: *mut c_void) -> aclError;
    /// Returns the device address of registered host memory.
    ///
    /// - `pHost`: address on the host
    /// - `pDevice`: receives the address on the device
    /// - `flag`: 0
    pub fn aclrtHostGetDevicePointer(
        pHost: *mut c_void,
        pDevice: *mut *mut c_void,
        flag: u32,
    ) -> aclError;
    /// Reserves addresses.
    ///
    /// - `virPtr`: receives the first
    /// - `size`: bytes
    /// - `alignment`: 0
    /// - `expectPtr`: address to prefer; may be NULL
    /// - `flags`: 0
    pub fn aclrtReserveMemAddress(
        virPtr: *mut *mut c_void,
        size: usize,
        alignment: usize,
        expectPtr: *mut c_void,
        flags: u64,
    ) -> aclError;
    /// Undoes `aclrtReserveMemAddress`.
    pub fn aclrtReleaseMemAddress(virPtr: *mut c_void) -> aclError;
    /// Allocates physical memory.
    ///
    /// - `handle`: receives it
    /// - `size`: bytes, a multiple of the granularity
    /// - `prop`: its properties
    /// - `flags`: 0
    pub fn aclrtMallocPhysical(
        handle: *mut aclrtDrvMemHandle,
        size: usize,
        prop: *const aclrtPhysicalMemProp,
        flags: u64,
    ) -> aclError;
    /// Frees physical memory.
    pub fn aclrtFreePhysical(handle: aclrtDrvMemHandle) -> aclError;
    /// Puts physical memory at reserved addresses.
    ///
    /// - `virPtr`: the first address, anywhere in a reserved range
    /// - `size`: bytes, as many as the physical memory has
    /// - `offset`: 0
    /// - `handle`: the physical memory
    /// - `flags`: 0
    pub fn aclrtMapMem(
        virPtr: *mut c_void,
        size: usize,
        offset: usize,
        handle: aclrtDrvMemHandle,
        flags: u64,
    ) -> aclError;
    /// Undoes `aclrtMapMem`.
    pub fn aclrtUnmapMem(virPtr: *mut c_void) -> aclError;
    /// Returns the granularity of physical memory.
    ///
    /// - `prop`: its properties
    /// - `option`: which step
    /// - `granularity`: receives bytes
    pub fn aclrtMemGetAllocationGranularity(
        prop: *mut aclrtPhysicalMemProp,
        option: aclrtMemGranularityOptions,
        granularity: *mut usize,
    ) -> aclError;
    /// Sets what devices may do with mapped memory.
    ///
    /// - `virPtr`: start
    /// - `size`: bytes
    /// - `desc`: one entry per device
    /// - `count`: entries
    pub fn aclrtMemSetAccess(
        virPtr: *mut c_void,
        size: usize,
        desc: *mut aclrtMemAccessDesc,
        count: usize,
    ) -> aclError;
    /// Returns the access that a device has to mapped memory.
    ///
    /// - `virPtr`: an address in it
    /// - `location`: the device
    /// - `flag`: receives an `aclrtMemAccessFlags`
    pub fn aclrtMemGetAccess(
        virPtr: *mut c_void,
        location: *mut aclrtMemLocation,
        flag: *mut u64,
    ) -> aclError;
    /// Returns the physical memory behind a mapped address.
    ///
    /// - `virPtr`: the address
    /// - `handle`: receives the physical memory
    pub fn aclrtMemRetainAllocationHandle(
        virPtr: *mut c_void,
        handle: *mut aclrtDrvMemHandle,
    ) -> aclError;
    /// Returns the properties of physical memory.
    ///
    /// - `handle`: the physical memory
    /// - `prop`: receives them
    pub fn aclrtMemGetAllocationPropertiesFromHandle(
        handle: aclrtDrvMemHandle,
        prop: *mut aclrtPhysicalMemProp,
    ) -> aclError;
    /// Allocates device memory that the scheduler of the device reaches.
    pub fn aclrtMallocForTaskScheduler(
        devPtr: *mut *mut c_void,
        size: u64,
        policy: aclrtMemMallocPolicy,
        cfg: *mut aclrtMallocConfig,
    ) -> aclError;
    /// Makes an empty list of memory. NULL on failure.
    pub fn aclmdlCreateDataset() -> *mut aclmdlDataset;
    /// Frees a list of memory, not the memory.
    pub fn aclmdlDestroyDataset(dataset: *const aclmdlDataset) -> aclError;
    /// Adds memory to a list.
    ///
    /// - `dataset`: the list
    /// - `dataBuffer`: the memory
    pub fn aclmdlAddDatasetBuffer(
        dataset: *mut aclmdlDataset,
        dataBuffer: *mut aclDataBuffer,
    ) -> aclError;
    /// Returns the memory at a position of a list. NULL on failure.
    ///
    /// - `dataset`: the list
    /// - `index`: which
    pub fn aclmdlGetDatasetBuffer(
        dataset: *const aclmdlDataset,
        index: usize,
    ) -> *mut aclDataBuffer;
    /// Returns the description of the memory at a position of a list. NULL on failure.
    ///
    /// - `dataset`: the list
    /// - `index`: which
    pub fn aclmdlGetDatasetTensorDesc(
        dataset: *const aclmdlDataset,
        index: usize,
    ) -> *mut aclTensorDesc;
    /// Makes an empty description of a model. NULL on failure.
    pub fn aclmdlCreateDesc() -> *mut aclmdlDesc;
    /// Frees a description of a model.
    pub fn aclmdlDestroyDesc(modelDesc: *mut aclmdlDesc) -> aclError;
    /// Describes a loaded model.
    ///
    /// - `modelDesc`: receives the description
    /// - `modelId`: the model
    pub fn aclmdlGetDesc(modelDesc: *mut aclmdlDesc, modelId: u32) -> aclError;
    /// Returns the number of inputs.
    pub fn aclmdlGetNumInputs(modelDesc: *mut aclmdlDesc) -> usize;
    /// Returns the number of outputs.
    pub fn aclmdlGetNumOutputs(modelDesc: *mut aclmdlDesc) -> usize;
    /// Returns the size of an input in bytes.
    ///
    /// - `modelDesc`: the model
    /// - `index`: which
    pub fn aclmdlGetInputSizeByIndex(modelDesc: *mut aclmdlDesc, index: usize) -> usize;
    /// Returns the size of an output in bytes.
    ///
    /// - `modelDesc`: the model
    /// - `index`: which
    pub fn aclmdlGetOutputSizeByIndex(modelDesc: *mut aclmdlDesc, index: usize) -> usize;
    /// Returns the shape of an output.
    ///
    /// - `modelDesc`: the model
    /// - `index`: which
    /// - `dims`: receives the shape
    pub fn aclmdlGetOutputDims(
        modelDesc: *const aclmdlDesc,
        index: usize,
        dims: *mut aclmdlIODims,
    ) -> aclError;
    /// Loads a model from a file.
    ///
    /// - `modelPath`: the file
    /// - `modelId`: receives the number of the model
    pub fn aclmdlLoadFromFile(
        modelPath: *const c_char,
        modelId: *mut u32,
    ) -> aclError;
    /// Loads a model from memory.
    ///
    /// - `model`: its bytes
    /// - `modelSize`: how many
    /// - `modelId`: receives the number of the model
    pub fn aclmdlLoadFromMem(
        model: *const c_void,
        modelSize: usize,
        modelId: *mut u32,
    ) -> aclError;
    /// Runs a model and waits for it.
    ///
    /// - `modelId`: the model
    /// - `input`: memory of the inputs
    /// - `output`: memory of the outputs
    pub fn aclmdlExecute(
        modelId: u32,
        input: *const aclmdlDataset,
        output: *mut aclmdlDataset,
    ) -> aclError;
    /// Runs a model in stream order.
    ///
    /// - `modelId`: the model
    /// - `input`: memory of the inputs
    /// - `output`: memory of the outputs
    /// - `stream`: the stream
    pub fn aclmdlExecuteAsync(
        modelId: u32,
        input: *const aclmdlDataset,
        output: *mut aclmdlDataset,
        stream: aclrtStream,
    ) -> aclError;
    /// Unloads a model.
    ///
    /// - `modelId`: the model
    pub fn aclmdlUnload(modelId: u32) -> aclError;
    /// Makes an empty list of attributes. NULL on failure.
    pub fn aclopCreateAttr() -> *mut aclopAttr;
    /// Frees a list of attributes.
    pub fn aclopDestroyAttr(attr: *const aclopAttr);
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `attrValue`: 0 or 1
    pub fn aclopSetAttrBool(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        attrValue: u8,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `attrValue`: a number
    pub fn aclopSetAttrInt(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        attrValue: i64,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `attrValue`: a number
    pub fn aclopSetAttrFloat(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        attrValue: f32,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `attrValue`: a text that ends with NUL
    pub fn aclopSetAttrString(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        attrValue: *const c_char,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `attrValue`: a type
    pub fn aclopSetAttrDataType(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        attrValue: aclDataType,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `numValues`: how many values
    /// - `values`: each 0 or 1
    pub fn aclopSetAttrListBool(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        numValues: c_int,
        values: *const u8,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `numValues`: how many values
    /// - `values`: numbers
    pub fn aclopSetAttrListInt(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        numValues: c_int,
        values: *const i64,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `numValues`: how many values
    /// - `values`: numbers
    pub fn aclopSetAttrListFloat(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        numValues: c_int,
        values: *const f32,
    ) -> aclError;
    /// Sets an attribute.
    ///
    /// - `attr`: the attributes
    /// - `attrName`: name of the attribute
    /// - `numLists`: how many lists
    /// - `numValues`: how many values each has
    /// - `values`: the lists
    pub fn aclopSetAttrListListInt(
        attr: *mut aclopAttr,
        attrName: *const c_char,
        numLists: c_int,
        numValues: *const c_int,
        values: *const *const i64,
    ) -> aclError;
    /// Sets an option for the operators compiled from now on.
    ///
    /// - `opt`: which
    /// - `value`: text that ends with NUL
    pub fn aclSetCompileopt(
        opt: aclCompileOpt,
        value: *const c_char,
    ) -> aclError;
    /// Reads an option.
    ///
    /// - `opt`: which
    /// - `value`: buffer for the text
    /// - `length`: bytes of the buffer; `aclGetCompileoptSize` returns the number needed
    pub fn aclGetCompileopt(
        opt: aclCompileOpt,
        value: *mut c_char,
        length: usize,
    ) -> aclError;
    /// Returns the size of the buffer that `aclGetCompileopt` needs for an option, in bytes.
    pub fn aclGetCompileoptSize(opt: aclCompileOpt) -> usize;
    /// Compiles an operator by its name, and runs it in stream order.
    ///
    /// - `opType`: name of the operator
    /// - `numInputs`: number of inputs
    /// - `inputDesc`: descriptions of the inputs
    /// - `inputs`: their memory
    /// - `numOutputs`: number of outputs
    /// - `outputDesc`: descriptions of the outputs
    /// - `outputs`: their memory
    /// - `attr`: attributes; may be NULL
    /// - `engineType`: kind of core
    /// - `compileFlag`: where compiled operators are looked for
    /// - `opPath`: a directory; may be NULL
    /// - `stream`: the stream
    pub fn aclopCompileAndExecute(
        opType: *const c_char,
        numInputs: c_int,
        inputDesc: *const *const aclTensorDesc,
        inputs: *const *const aclDataBuffer,
        numOutputs: c_int,
        outputDesc: *const *const aclTensorDesc,
        outputs: *const *mut aclDataBuffer,
        attr: *const aclopAttr,
        engineType: aclopEngineType,
        compileFlag: aclopCompileType,
        opPath: *const c_char,
        stream: aclrtStream,
    ) -> aclError;
    /// Does the same as `aclopCompileAndExecute`; updates the descriptions of the outputs.
    ///
    /// - `opType`: name of the operator
    /// - `numInputs`: number of inputs
    /// - `inputDesc`: descriptions of the inputs
    /// - `inputs`: their memory
    /// - `numOutputs`: number of outputs
    /// - `outputDesc`: descriptions of the outputs
    /// - `outputs`: their memory
    /// - `attr`: attributes; may be NULL
    /// - `engineType`: kind of core
    /// - `compileFlag`: where compiled operators are looked for
    /// - `opPath`: a directory; may be NULL
    /// - `stream`: the stream
    pub fn aclopCompileAndExecuteV2(
        opType: *const c_char,
        numInputs: c_int,
        inputDesc: *mut *mut aclTensorDesc,
        inputs: *mut *mut aclDataBuffer,
        numOutputs: c_int,
        outputDesc: *mut *mut aclTensorDesc,
        outputs: *mut *mut aclDataBuffer,
        attr: *mut aclopAttr,
        engineType: aclopEngineType,
        compileFlag: aclopCompileType,
        opPath: *const c_char,
        stream: aclrtStream,
    ) -> aclError;
    /// Makes options of a dump. NULL on failure.
    pub fn aclCreateGraphDumpOpt() -> *mut aclGraphDumpOption;
    /// Frees options of a dump.
    pub fn aclDestroyGraphDumpOpt(graphDumpOpt: *const aclGraphDumpOption) -> aclError;
    /// Writes the graph of an operator to a file.
    ///
    /// - `opType`: name of the operator
    /// - `numInputs`: number of inputs
    /// - `inputDesc`: descriptions of the inputs
    /// - `inputs`: their memory
    /// - `numOutputs`: number of outputs
    /// - `outputDesc`: descriptions of the outputs
    /// - `outputs`: their memory
    /// - `attr`: attributes; may be NULL
    /// - `engineType`: kind of core
    /// - `graphDumpPath`: the file
    /// - `graphDumpOpt`: may be NULL
    pub fn aclGenGraphAndDumpForOp(
        opType: *const c_char,
        numInputs: c_int,
        inputDesc: *const *const aclTensorDesc,
        inputs: *const *const aclDataBuffer,
        numOutputs: c_int,
        outputDesc: *const *const aclTensorDesc,
        outputs: *const *mut aclDataBuffer,
        attr: *const aclopAttr,
        engineType: aclopEngineType,
        graphDumpPath: *const c_char,
        graphDumpOpt: *const aclGraphDumpOption,
    ) -> aclError;
    /// Begins the description of an allocator. NULL on failure.
    pub fn aclrtAllocatorCreateDesc() -> aclrtAllocatorDesc;
    /// Frees the description of an allocator.
    pub fn aclrtAllocatorDestroyDesc(allocatorDesc: aclrtAllocatorDesc) -> aclError;
    /// Sets the allocator that the functions are called with.
    ///
    /// - `allocatorDesc`: the description
    /// - `allocator`: passed to the functions
    pub fn aclrtAllocatorSetObjToDesc(
        allocatorDesc: aclrtAllocatorDesc,
        allocator: aclrtAllocator,
    ) -> aclError;
    /// Sets the function that takes memory.
    ///
    /// - `allocatorDesc`: the description
    /// - `func`: the function
    pub fn aclrtAllocatorSetAllocFuncToDesc(
        allocatorDesc: aclrtAllocatorDesc,
        func: aclrtAllocatorAllocFunc,
    ) -> aclError;
    /// Sets the function that releases memory.
    ///
    /// - `allocatorDesc`: the description
    /// - `func`: the function
    pub fn aclrtAllocatorSetFreeFuncToDesc(
        allocatorDesc: aclrtAllocatorDesc,
        func: aclrtAllocatorFreeFunc,
    ) -> aclError;
    /// Sets the function that takes memory at an address.
    ///
    /// - `allocatorDesc`: the description
    /// - `func`: the function
    pub fn aclrtAllocatorSetAllocAdviseFuncToDesc(
        allocatorDesc: aclrtAllocatorDesc,
        func: aclrtAllocatorAllocAdviseFunc,
    ) -> aclError;
    /// Sets the function that returns an address.
    ///
    /// - `allocatorDesc`: the description
    /// - `func`: the function
    pub fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
        allocatorDesc: aclrtAllocatorDesc,
        func: aclrtAllocatorGetAddrFromBlockFunc,
    ) -> aclError;
    /// Lets the work of a stream take its memory from an allocator.
    ///
    /// - `stream`: the stream
    /// - `allocatorDesc`: the description
    pub fn aclrtAllocatorRegister(
        stream: aclrtStream,
        allocatorDesc: aclrtAllocatorDesc,
    ) -> aclError;
    /// Undoes `aclrtAllocatorRegister`.
    pub fn aclrtAllocatorUnregister(stream: aclrtStream) -> aclError;
    /// Returns the allocator of a stream and its functions.
    pub fn aclrtAllocatorGetByStream(
        stream: aclrtStream,
        allocatorDesc: *mut aclrtAllocatorDesc,
        allocator: *mut aclrtAllocator,
        allocFunc: *mut aclrtAllocatorAllocFunc,
        freeFunc: *mut aclrtAllocatorFreeFunc,
        allocAdviseFunc: *mut aclrtAllocatorAllocAdviseFunc,
        getAddrFromBlockFunc: *mut aclrtAllocatorGetAddrFromBlockFunc,
    ) -> aclError;
    /// Makes a pool. CANN 9.0 and later.
    ///
    /// - `memPool`: receives it
    /// - `poolProps`: its properties
    pub fn aclrtMemPoolCreate(
        memPool: *mut aclrtMemPool,
        poolProps: *const aclrtMemPoolProps,
    ) -> aclError;
    /// Destroys a pool. CANN 9.0 and later.
    pub fn aclrtMemPoolDestroy(memPool: aclrtMemPool) -> aclError;
    /// Sets an attribute of a pool. CANN 9.0 and later.
    ///
    /// - `memPool`: the pool
    /// - `attr`: which
    /// - `value`: its value: `uint64_t`, or `int` for those that allow something
    pub fn aclrtMemPoolSetAttr(
        memPool: aclrtMemPool,
        attr: aclrtMemPoolAttr,
        value: *mut c_void,
    ) -> aclError;
    /// Returns an attribute of a pool. CANN 9.0 and later.
    ///
    /// - `memPool`: the pool
    /// - `attr`: which
    /// - `value`: receives its value: `uint64_t`, or `int` for those that allow something
    pub fn aclrtMemPoolGetAttr(
        memPool: aclrtMemPool,
        attr: aclrtMemPoolAttr,
        value: *mut c_void,
    ) -> aclError;
    /// Allocates memory of a pool, for work that a stream is given from now on. CANN 9.1 and later.
    ///
    /// - `ptr`: receives the address
    /// - `size`: bytes
    /// - `memPool`: the pool
    /// - `stream`: the stream
    pub fn aclrtMemPoolMallocAsync(
        ptr: *mut *mut c_void,
        size: usize,
        memPool: aclrtMemPool,
        stream: aclrtStream,
    ) -> aclError;
    /// Frees memory of a pool in stream order. CANN 9.1 and later.
    ///
    /// - `ptr`: the address
    /// - `stream`: the stream
    pub fn aclrtMemPoolFreeAsync(
        ptr: *mut c_void,
        stream: aclrtStream,
    ) -> aclError;
    /// Returns unused memory of a pool to the device. CANN 9.1 and later.
    ///
    /// - `memPool`: the pool
    /// - `minBytesToKeep`: bytes that stay with the pool
    pub fn aclrtMemPoolTrimTo(memPool: aclrtMemPool, minBytesToKeep: usize) -> aclError;
    /// Begins to dump the arguments of operators.
    ///
    /// - `dumpType`: what
    /// - `path`: directory of the dump
    pub fn aclopStartDumpArgs(dumpType: u32, path: *const c_char) -> aclError;
    /// Ends dumping the arguments of operators.
    ///
    /// - `dumpType`: what
    pub fn aclopStopDumpArgs(dumpType: u32) -> aclError;
    /// Sets the function that is called with each part of a dump, in place of files.
    pub fn acldumpRegCallback(
        messageCallback: ::core::option::Option<
            unsafe extern "C" fn(arg1: *const acldumpChunk, arg2: i32) -> i32,
        >,
        flag: i32,
    ) -> aclError;
    /// Undoes `acldumpRegCallback`.
    pub fn acldumpUnregCallback();
    /// Returns the directory of a kind of dump. NULL if there is none.
    pub fn acldumpGetPath(dumpType: acldumpType) -> *const c_char;
    /// Writes the directory for data of failed operators.
    pub fn acldumpGetExceptionInfoPath(
        path: *mut c_char,
        maxLen: u64,
    ) -> aclError;
    /// Keeps tensors of a failed operator in a file.
    pub fn acldumpSaveExceptionInfo(
        fileName: *const c_char,
        userTag: *const c_char,
        tensors: *const acldumpTensorInfo,
        tensorCount: u64,
    ) -> aclError;
    /// Begins profiling.
    ///
    /// - `profilerResultPath`: directory of the results
    /// - `length`: bytes of the text
    pub fn aclprofInit(
        profilerResultPath: *const c_char,
        length: usize,
    ) -> aclError;
    /// Begins to record.
    ///
    /// - `profilerConfig`: the data to record
    pub fn aclprofStart(profilerConfig: *const aclprofConfig) -> aclError;
    /// Ends recording.
    ///
    /// - `profilerConfig`: the data to record
    pub fn aclprofStop(profilerConfig: *const aclprofConfig) -> aclError;
    /// Ends profiling.
    pub fn aclprofFinalize() -> aclError;
    /// Describes the data to record. NULL on failure.
    ///
    /// - `deviceIdList`: the devices
    /// - `deviceNums`: how many
    /// - `aicoreMetrics`: the metric of AI cores that is measured
    /// - `aicoreEvents`: NULL
    /// - `dataTypeConfig`: kinds of data
    pub fn aclprofCreateConfig(
        deviceIdList: *mut u32,
        deviceNums: u32,
        aicoreMetrics: aclprofAicoreMetrics,
        aicoreEvents: *const aclprofAicoreEvents,
        dataTypeConfig: u64,
    ) -> *mut aclprofConfig;
    /// Frees the result of `aclprofCreateConfig`.
    pub fn aclprofDestroyConfig(profilerConfig: *const aclprofConfig) -> aclError;
    /// Sets the profiler.
    ///
    /// - `configType`: which setting
    /// - `config`: its text
    /// - `configLength`: bytes of the text
    pub fn aclprofSetConfig(
        configType: aclprofConfigType,
        config: *const c_char,
        configLength: usize,
    ) -> aclError;
    /// Makes a step. NULL on failure.
    pub fn aclprofCreateStepInfo() -> *mut aclprofStepInfo;
    /// Frees a step.
    pub fn aclprofDestroyStepInfo(stepinfo: *mut aclprofStepInfo);
    /// Notes the time of an end of a step, in stream order.
    ///
    /// - `stepInfo`: the step
    /// - `tag`: which end
    /// - `stream`: the stream
    pub fn aclprofGetStepTimestamp(
        stepInfo: *mut aclprofStepInfo,
        tag: aclprofStepTag,
        stream: aclrtStream,
    ) -> aclError;
    /// Puts a mark into the record, in stream order.
    ///
    /// - `msg`: the mark
    /// - `msgLen`: bytes of the text
    /// - `stream`: the stream
    pub fn aclprofMarkEx(
        msg: *const c_char,
        msgLen: usize,
        stream: aclrtStream,
    ) -> aclError;
    /// Makes a stamp. NULL on failure.
    pub fn aclprofCreateStamp() -> *mut c_void;
    /// Frees a stamp.
    pub fn aclprofDestroyStamp(stamp: *mut c_void);
    /// Gives a stamp its text.
    pub fn aclprofSetStampTraceMessage(
        stamp: *mut c_void,
        msg: *const c_char,
        msgLen: u32,
    ) -> aclError;
    /// Notes the time of a stamp.
    pub fn aclprofMark(stamp: *mut c_void) -> aclError;
    /// Begins a range that the next `aclprofPop` of this thread ends.
    pub fn aclprofPush(stamp: *mut c_void) -> aclError;
    /// Ends the range that this thread began last.
    pub fn aclprofPop() -> aclError;
    /// Begins a range and returns its number.
    pub fn aclprofRangeStart(
        stamp: *mut c_void,
        rangeId: *mut u32,
    ) -> aclError;
    /// Ends the range with a number.
    pub fn aclprofRangeStop(rangeId: u32) -> aclError;
    /// Begins a range with a description, which the next `aclprofRangePop` of this thread ends.
    pub fn aclprofRangePushEx(attr: *mut aclprofEventAttributes) -> aclError;
    /// Ends the range that this thread began last.
    pub fn aclprofRangePop() -> aclError;
    /// Returns a number for a text.
    pub fn aclprofStr2Id(message: *const c_char) -> u64;
    /// Describes the data to receive while a model runs. NULL on failure.
    pub fn aclprofCreateSubscribeConfig(
        timeInfoSwitch: i8,
        aicoreMetrics: aclprofAicoreMetrics,
        fd: *mut c_void,
    ) -> *mut aclprofSubscribeConfig;
    /// Frees the result of `aclprofCreateSubscribeConfig`.
    pub fn aclprofDestroySubscribeConfig(
        profSubscribeConfig: *const aclprofSubscribeConfig,
    ) -> aclError;
    /// Writes records of the operators of a model to a file from now on.
    pub fn aclprofModelSubscribe(
        modelId: u32,
        profSubscribeConfig: *const aclprofSubscribeConfig,
    ) -> aclError;
    /// Undoes `aclprofModelSubscribe`.
    pub fn aclprofModelUnSubscribe(modelId: u32) -> aclError;
    /// Returns the number of the model of a record.
    pub fn aclprofGetModelId(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
    ) -> u64;
    /// Returns the size of a record in bytes.
    pub fn aclprofGetOpDescSize(opDescSize: *mut u64) -> aclError;
    /// Counts the operators of a record.
    pub fn aclprofGetOpNum(
        opInfo: *const c_void,
        opInfoLen: u64,
        opNumber: *mut u32,
    ) -> aclError;
    /// Returns the bytes of the name of an operator.
    pub fn aclprofGetOpNameLen(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
        opNameLen: *mut u64,
    ) -> aclError;
    /// Writes the name of an operator.
    pub fn aclprofGetOpName(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
        opName: *mut c_char,
        opNameLen: u64,
    ) -> aclError;
    /// Returns the bytes of the type of an operator.
    pub fn aclprofGetOpTypeLen(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
        opTypeLen: *mut u64,
    ) -> aclError;
    /// Writes the type of an operator.
    pub fn aclprofGetOpType(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
        opType: *mut c_char,
        opTypeLen: u64,
    ) -> aclError;
    /// Returns the time at which an operator began.
    pub fn aclprofGetOpStart(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
    ) -> u64;
    /// Returns the time at which an operator ended.
    pub fn aclprofGetOpEnd(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
    ) -> u64;
    /// Returns the time that an operator took.
    pub fn aclprofGetOpDuration(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
    ) -> u64;
    /// Returns the subject of a record.
    pub fn aclprofGetOpFlag(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
    ) -> aclprofSubscribeOpFlag;
    /// Returns an attribute of an operator as text. NULL if it has none.
    pub fn aclprofGetOpAttriValue(
        opInfo: *const c_void,
        opInfoLen: u64,
        index: u32,
        attri: aclprofSubscribeOpAttri,
    ) -> *const c_char;
    /// Writes a fact about the product as text.
    pub fn aclplatformGetDeviceInfo(
        infoType: aclplatformDevInfo,
        value: *mut c_char,
        maxLen: u32,
    ) -> aclError;
    /// Writes the element types of an instruction of a kind of core as text.
    pub fn aclplatformGetInstructionInfo(
        type_: aclplatformCoreType,
        instruction: *const c_char,
        value: *mut c_char,
        maxLen: u32,
    ) -> aclError;
    /// Makes a channel to a device. NULL on failure.
    pub fn acltdtCreateChannel(
        deviceId: u32,
        name: *const c_char,
    ) -> *mut acltdtChannelHandle;
    /// Discards the contents of a channel.
    pub fn acltdtCleanChannel(handle: *mut acltdtChannelHandle) -> aclError;
    /// Counts the items in a channel.
    pub fn acltdtQueryChannelSize(
        handle: *const acltdtChannelHandle,
        size: *mut u64,
    ) -> aclError;
    /// Puts tensors into a channel.
    pub fn acltdtSendTensor(
        handle: *const acltdtChannelHandle,
        dataset: *const acltdtDataset,
        timeout: i32,
    ) -> aclError;
    /// Describes a tensor. NULL on failure.
    pub fn acltdtCreateDataItem(
        tdtType: acltdtTensorType,
        dims: *const i64,
        dimNum: u64,
        dataType: aclDataType,
        data: *mut c_void,
        size: u64,
    ) -> *mut acltdtDataItem;
    /// Frees the description of a tensor.
    pub fn acltdtDestroyDataItem(dataItem: *mut acltdtDataItem) -> aclError;
    /// Returns the kind of an item.
    pub fn acltdtGetTensorTypeFromItem(
        dataItem: *const acltdtDataItem,
    ) -> acltdtTensorType;
    /// Returns the number of slices of a tensor, and the position of an item among them.
    pub fn acltdtGetSliceInfoFromItem(
        dataItem: *const acltdtDataItem,
        sliceNum: *mut u64,
        sliceId: *mut u64,
    ) -> aclError;
    /// Adds a tensor to those that go together.
    pub fn acltdtAddDataItem(
        dataset: *mut acltdtDataset,
        dataItem: *mut acltdtDataItem,
    ) -> aclError;
    /// Returns the name of tensors that go together.
    pub fn acltdtGetDatasetName(
        dataset: *const acltdtDataset,
    ) -> *const c_char;
    /// Makes settings of a queue. NULL on failure.
    pub fn acltdtCreateQueueAttr() -> *mut acltdtQueueAttr;
    /// Frees settings of a queue.
    pub fn acltdtDestroyQueueAttr(attr: *const acltdtQueueAttr) -> aclError;
    /// Sets one of them.
    pub fn acltdtSetQueueAttr(
        attr: *mut acltdtQueueAttr,
        type_: acltdtQueueAttrType,
        len: u64,
        param: *const c_void,
    ) -> aclError;
    /// Reads one of them.
    pub fn acltdtGetQueueAttr(
        attr: *const acltdtQueueAttr,
        type_: acltdtQueueAttrType,
        len: u64,
        paramRetSize: *mut u64,
        param: *mut c_void,
    ) -> aclError;
    /// Makes a queue.
    pub fn acltdtCreateQueue(attr: *const acltdtQueueAttr, qid: *mut u32) -> aclError;
    /// Destroys a queue.
    pub fn acltdtDestroyQueue(qid: u32) -> aclError;
    /// Lets a process use a queue.
    pub fn acltdtGrantQueue(
        qid: u32,
        pid: i32,
        permission: u32,
        timeout: i32,
    ) -> aclError;
    /// Begins to use a queue that another process made.
    pub fn acltdtAttachQueue(qid: u32, timeout: i32, permission: *mut u32) -> aclError;
    /// Puts a buffer into a queue.
    pub fn acltdtEnqueue(qid: u32, buf: acltdtBuf, timeout: i32) -> aclError;
    /// Takes a buffer out of a queue.
    pub fn acltdtDequeue(qid: u32, buf: *mut acltdtBuf, timeout: i32) -> aclError;
    /// Copies data into a queue.
    pub fn acltdtEnqueueData(
        qid: u32,
        data: *const c_void,
        dataSize: u64,
        userData: *const c_void,
        userDataSize: u64,
        timeout: i32,
        rsv: u32,
    ) -> aclError;
    /// Copies data out of a queue.
    pub fn acltdtDequeueData(
        qid: u32,
        data: *mut c_void,
        dataSize: u64,
        retDataSize: *mut u64,
        userData: *mut c_void,
        userDataSize: u64,
        timeout: i32,
    ) -> aclError;
    /// Makes a buffer.
    pub fn acltdtAllocBuf(size: u64, type_: u32, buf: *mut acltdtBuf) -> aclError;
    /// Frees a buffer.
    pub fn acltdtFreeBuf(buf: acltdtBuf) -> aclError;
    /// Returns the address of the data of a buffer, and its size in bytes.
    pub fn acltdtGetBufData(
        buf: acltdtBuf,
        dataPtr: *mut *mut c_void,
        size: *mut u64,
    ) -> aclError;
    /// Sets the number of bytes of a buffer that are data.
    pub fn acltdtSetBufDataLen(buf: acltdtBuf, len: u64) -> aclError;
    /// Returns the number of bytes of a buffer that are data.
    pub fn acltdtGetBufDataLen(buf: acltdtBuf, len: *mut u64) -> aclError;
    /// Writes data that a program keeps with a buffer.
    pub fn acltdtSetBufUserData(
        buf: acltdtBuf,
        dataPtr: *const c_void,
        size: u64,
        offset: u64,
    ) -> aclError;
    /// Reads data that a program keeps with a buffer.
    pub fn acltdtGetBufUserData(
        buf: acltdtBuf,
        dataPtr: *mut c_void,
        size: u64,
        offset: u64,
    ) -> aclError;
    /// Makes another buffer of the same data.
    pub fn acltdtCopyBufRef(buf: acltdtBuf, newBuf: *mut acltdtBuf) -> aclError;
    /// Appends a buffer to a chain.
    pub fn acltdtAppendBufChain(headBuf: acltdtBuf, buf: acltdtBuf) -> aclError;
    /// Counts the buffers of a chain.
    pub fn acltdtGetBufChainNum(headBuf: acltdtBuf, num: *mut u32) -> aclError;
    /// Returns a buffer of a chain.
    pub fn acltdtGetBufFromChain(
        headBuf: acltdtBuf,
        index: u32,
        buf: *mut acltdtBuf,
    ) -> aclError;
    /// Makes a route. NULL on failure.
    pub fn acltdtCreateQueueRoute(srcId: u32, dstId: u32) -> *mut acltdtQueueRoute;
    /// Frees a route.
    pub fn acltdtDestroyQueueRoute(route: *const acltdtQueueRoute) -> aclError;
    /// Reads a property of a route.
    pub fn acltdtGetQueueRouteParam(
        route: *const acltdtQueueRoute,
        type_: acltdtQueueRouteParamType,
        len: u64,
        paramRetSize: *mut u64,
        param: *mut c_void,
    ) -> aclError;
    /// Makes an empty list of routes. NULL on failure.
    pub fn acltdtCreateQueueRouteList() -> *mut acltdtQueueRouteList;
    /// Frees a list of routes.
    pub fn acltdtDestroyQueueRouteList(
        routeList: *const acltdtQueueRouteList,
    ) -> aclError;
    /// Adds a route to a list.
    pub fn acltdtAddQueueRoute(
        routeList: *mut acltdtQueueRouteList,
        route: *const acltdtQueueRoute,
    ) -> aclError;
    /// Reads a route of a list.
    pub fn acltdtGetQueueRoute(
        routeList: *const acltdtQueueRouteList,
        index: u64,
        route: *mut acltdtQueueRoute,
    ) -> aclError;
    /// Counts the routes of a list.
    pub fn acltdtGetQueueRouteNum(routeList: *const acltdtQueueRouteList) -> u64;
    /// Lets the routes of a list carry buffers.
    pub fn acltdtBindQueueRoutes(qRouteList: *mut acltdtQueueRouteList) -> aclError;
    /// Undoes `acltdtBindQueueRoutes`.
    pub fn acltdtUnbindQueueRoutes(qRouteList: *mut acltdtQueueRouteList) -> aclError;
    /// Makes a question about routes. NULL on failure.
    pub fn acltdtCreateQueueRouteQueryInfo() -> *mut acltdtQueueRouteQueryInfo;
    /// Frees a question about routes.
    pub fn acltdtDestroyQueueRouteQueryInfo(
        info: *const acltdtQueueRouteQueryInfo,
    ) -> aclError;
    /// Sets a part of a question.
    pub fn acltdtSetQueueRouteQueryInfo(
        param: *mut acltdtQueueRouteQueryInfo,
        type_: acltdtQueueRouteQueryInfoParamType,
        len: u64,
        value: *const c_void,
    ) -> aclError;
    /// Lists the routes that a question asks for.
    pub fn acltdtQueryQueueRoutes(
        queryInfo: *const acltdtQueueRouteQueryInfo,
        qRouteList: *mut acltdtQueueRouteList,
    ) -> aclError;

    variadic:
    /// Writes one line to CANN's log.
    ///
    /// - `logLevel`: weight of the line
    /// - `func`: name of the calling function
    /// - `file`: name of the source file
    /// - `line`: line in it
    /// - `fmt`: format as of printf, followed by its arguments
    pub fn aclAppLog(
        logLevel: aclLogLevel,
        func: *const c_char,
        file: *const c_char,
        line: u32,
        fmt: *const c_char,
        ...
    );
}

table! {
    /// Tensors, scalars, arrays, lists, executors.
    pub struct Meta, types in meta_pfn;

    /// Describes elements in device memory. Dimensions and strides are copied, the memory is borrowed. NULL on failure.
    ///
    /// - `viewDims`: lengths of the dimensions; NULL with a count of 0 describes a single element
    /// - `viewDimsNum`: number of dimensions
    /// - `dataType`: type of the elements
    /// - `stride`: elements from one index to the next, per dimension; NULL for row-major without gaps
    /// - `offset`: elements from the start of the storage to the first one, at least 0
    /// - `format`: order in memory
    /// - `storageDims`: lengths of the dimensions of the storage
    /// - `storageDimsNum`: number of dimensions of the storage
    /// - `tensorData`: start of the storage; may be NULL and set later
    pub fn aclCreateTensor(
        viewDims: *const i64,
        viewDimsNum: u64,
        dataType: aclDataType,
        stride: *const i64,
        offset: i64,
        format: aclFormat,
        storageDims: *const i64,
        storageDimsNum: u64,
        tensorData: *mut c_void,
    ) -> *mut aclTensor;
    /// Copies one number from host memory. NULL where value is NULL or the type is not supported.
    ///
    /// - `value`: the number
    /// - `dataType`: its type
    pub fn aclCreateScalar(
        value: *mut c_void,
        dataType: aclDataType,
    ) -> *mut aclScalar;
    /// Copies numbers; NULL or no elements give an empty array.
    ///
    /// - `value`: the numbers
    /// - `size`: how many
    pub fn aclCreateIntArray(value: *const i64, size: u64) -> *mut aclIntArray;
    /// Copies numbers; NULL or no elements give an empty array.
    ///
    /// - `value`: the numbers
    /// - `size`: how many
    pub fn aclCreateFloatArray(value: *const f32, size: u64) -> *mut aclFloatArray;
    /// Copies truth values; NULL or no elements give an empty array.
    ///
    /// - `value`: the values, one byte each
    /// - `size`: how many
    pub fn aclCreateBoolArray(value: *const bool, size: u64) -> *mut aclBoolArray;
    /// Makes a list that owns its tensors: they are destroyed with it and not by the caller.
    ///
    /// - `value`: the tensors
    /// - `size`: how many
    pub fn aclCreateTensorList(
        value: *const *const aclTensor,
        size: u64,
    ) -> *mut aclTensorList;
    /// Makes a list that owns its scalars: they are destroyed with it and not by the caller.
    ///
    /// - `value`: the scalars
    /// - `size`: how many
    pub fn aclCreateScalarList(
        value: *const *const aclScalar,
        size: u64,
    ) -> *mut aclScalarList;
    /// Frees the description, not the memory described. NULL is accepted.
    pub fn aclDestroyTensor(tensor: *const aclTensor) -> aclnnStatus;
    /// Frees a scalar. NULL is accepted.
    pub fn aclDestroyScalar(scalar: *const aclScalar) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyIntArray(array: *const aclIntArray) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyFloatArray(array: *const aclFloatArray) -> aclnnStatus;
    /// Frees an array. NULL is accepted.
    pub fn aclDestroyBoolArray(array: *const aclBoolArray) -> aclnnStatus;
    /// Frees a list and every tensor in it. NULL is accepted.
    pub fn aclDestroyTensorList(array: *const aclTensorList) -> aclnnStatus;
    /// Frees a list and every scalar in it. NULL is accepted.
    pub fn aclDestroyScalarList(array: *const aclScalarList) -> aclnnStatus;
    /// Returns the lengths of the dimensions. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `viewDims`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `viewDimsNum`: receives its length
    pub fn aclGetViewShape(
        tensor: *const aclTensor,
        viewDims: *mut *mut i64,
        viewDimsNum: *mut u64,
    ) -> aclnnStatus;
    /// Returns the lengths of the dimensions of the storage. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `storageDims`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `storageDimsNum`: receives its length
    pub fn aclGetStorageShape(
        tensor: *const aclTensor,
        storageDims: *mut *mut i64,
        storageDimsNum: *mut u64,
    ) -> aclnnStatus;
    /// Returns the strides in elements. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `stridesValue`: receives an array made with C++ `new int64_t[]`, which the caller owns
    /// - `stridesNum`: receives its length
    pub fn aclGetViewStrides(
        tensor: *const aclTensor,
        stridesValue: *mut *mut i64,
        stridesNum: *mut u64,
    ) -> aclnnStatus;
    /// Returns the number of elements before the first one in the storage. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `offset`: receives the number
    pub fn aclGetViewOffset(tensor: *const aclTensor, offset: *mut i64) -> aclnnStatus;
    /// Returns the order of the elements in memory. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `format`: receives it
    pub fn aclGetFormat(tensor: *const aclTensor, format: *mut aclFormat) -> aclnnStatus;
    /// Returns the type of the elements. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `dataType`: receives it
    pub fn aclGetDataType(
        tensor: *const aclTensor,
        dataType: *mut aclDataType,
    ) -> aclnnStatus;
    /// Returns the number of elements. 161001 for NULL.
    pub fn aclGetIntArraySize(array: *const aclIntArray, size: *mut u64) -> aclnnStatus;
    /// Returns the number of elements. 161001 for NULL.
    pub fn aclGetFloatArraySize(
        array: *const aclFloatArray,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Returns the number of elements. 161001 for NULL.
    pub fn aclGetBoolArraySize(
        array: *const aclBoolArray,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Returns the number of tensors. 161001 for NULL.
    pub fn aclGetTensorListSize(
        tensorList: *const aclTensorList,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Returns the number of scalars. 161001 for NULL.
    pub fn aclGetScalarListSize(
        scalarList: *const aclScalarList,
        size: *mut u64,
    ) -> aclnnStatus;
    /// Describes other elements with the same object. NULL dimensions or memory change nothing; a NULL tensor gives 161001.
    ///
    /// - `tensor`: the tensor
    /// - `viewDims`: as of `aclCreateTensor`, like all that follow
    pub fn aclInitTensor(
        tensor: *mut aclTensor,
        viewDims: *const i64,
        viewDimsNum: u64,
        dataType: aclDataType,
        stride: *const i64,
        offset: i64,
        format: aclFormat,
        storageDims: *const i64,
        storageDimsNum: u64,
        tensorData: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor to another storage. 161001 for a NULL tensor.
    ///
    /// - `tensor`: the tensor
    /// - `addr`: start of the storage; the offset of the tensor comes on top
    pub fn aclSetRawTensorAddr(
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Returns the start of the storage, without the offset. 161001 for NULL.
    ///
    /// - `tensor`: the tensor
    /// - `addr`: receives it
    pub fn aclGetRawTensorAddr(
        tensor: *const aclTensor,
        addr: *mut *mut c_void,
    ) -> aclnnStatus;
    /// Lets an executor be launched more than once; called between phase one and the first launch. 561103 for NULL, 561000
    /// where the operator cannot be repeated.
    pub fn aclSetAclOpExecutorRepeatable(executor: *mut aclOpExecutor) -> aclnnStatus;
    /// Frees a repeatable executor, or one that was never launched. 561103 for NULL.
    pub fn aclDestroyAclOpExecutor(executor: *mut aclOpExecutor) -> aclnnStatus;
    /// Moves an input of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the input
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetInputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves an output of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the output
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetOutputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves an operand of a repeatable executor to another storage. 561103 for NULL.
    ///
    /// - `executor`: the executor
    /// - `index`: number of the operand
    /// - `tensor`: the tensor given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of an input list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the input
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicInputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of an output list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the output
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicOutputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Moves a tensor of a list of a repeatable executor. 161002 beyond the end of the list.
    ///
    /// - `executor`: the executor
    /// - `irIndex`: number of the operand
    /// - `relativeIndex`: number of the tensor in the list
    /// - `tensors`: the list given in phase one
    /// - `addr`: start of the storage
    pub fn aclSetDynamicTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetInputTensorAddr`.
    pub fn AclSetInputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetOutputTensorAddr`.
    pub fn AclSetOutputTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetTensorAddr`.
    pub fn AclSetTensorAddr(
        executor: *mut aclOpExecutor,
        index: usize,
        tensor: *mut aclTensor,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetDynamicInputTensorAddr`.
    pub fn AclSetDynamicInputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetDynamicOutputTensorAddr`.
    pub fn AclSetDynamicOutputTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Does the same as `aclSetDynamicTensorAddr`.
    pub fn AclSetDynamicTensorAddr(
        executor: *mut aclOpExecutor,
        irIndex: usize,
        relativeIndex: usize,
        tensors: *mut aclTensorList,
        addr: *mut c_void,
    ) -> aclnnStatus;
    /// Writes tensors of a call to the dump directory. CANN 9.0 and later. 161001 where a pointer, the stream included, is NULL.
    ///
    /// - `opType`: type of the operator
    /// - `opName`: name of the call
    /// - `tensors`: inputs, then outputs
    /// - `inputTensorNum`: how many are inputs
    /// - `outputTensorNum`: how many are outputs
    /// - `stream`: where the tensors are computed
    pub fn aclDumpOpTensors(
        opType: *const c_char,
        opName: *const c_char,
        tensors: *mut *mut aclTensor,
        inputTensorNum: usize,
        outputTensorNum: usize,
        stream: aclrtStream,
    ) -> aclnnStatus;
    /// Initialises the operator library. Not needed where `aclInit` was called. Once per process.
    ///
    /// - `configPath`: a JSON file; may be NULL
    pub fn aclnnInit(configPath: *const c_char) -> aclnnStatus;
    /// Releases the resources of `aclnnInit`.
    pub fn aclnnFinalize() -> aclnnStatus;
}

table! {
    /// Communicators, what the ranks of a group do together, and what that is built of.
    pub struct Collectives, types in collectives_pfn;

    /// Makes the information by which the ranks of a new group find each other. One process calls it, and sends the result
    /// to each rank.
    ///
    /// - `rootInfo`: receives it
    pub fn HcclGetRootInfo(rootInfo: *mut HcclRootInfo) -> HcclResult;
    /// Joins a group as one of its ranks, with the current device. Returns when every rank has joined.
    ///
    /// - `nRanks`: the number of ranks
    /// - `rootInfo`: the result of `HcclGetRootInfo`, the same bytes on each rank
    /// - `rank`: the number of this rank
    /// - `comm`: receives the communicator
    pub fn HcclCommInitRootInfo(
        nRanks: u32,
        rootInfo: *const HcclRootInfo,
        rank: u32,
        comm: *mut HcclComm,
    ) -> HcclResult;
    /// Joins a group as `HcclCommInitRootInfo` does, with settings.
    ///
    /// - `nRanks`: the number of ranks
    /// - `rootInfo`: the result of `HcclGetRootInfo`, the same bytes on each rank
    /// - `rank`: the number of this rank
    /// - `config`: the settings, which `HcclCommConfigInit` has initialised
    /// - `comm`: receives the communicator
    pub fn HcclCommInitRootInfoConfig(
        nRanks: u32,
        rootInfo: *const HcclRootInfo,
        rank: u32,
        config: *const HcclCommConfig,
        comm: *mut HcclComm,
    ) -> HcclResult;
    /// Joins a group that a file describes.
    ///
    /// - `clusterInfo`: the path of the file
    /// - `rank`: the number of this rank
    /// - `comm`: receives the communicator
    pub fn HcclCommInitClusterInfo(
        clusterInfo: *const c_char,
        rank: u32,
        comm: *mut HcclComm,
    ) -> HcclResult;
    /// Makes a group of devices of this process, a rank for each.
    ///
    /// - `ndev`: the number of devices
    /// - `devices`: their numbers; the position is the rank
    /// - `comms`: receives a communicator for each
    pub fn HcclCommInitAll(
        ndev: u32,
        devices: *mut i32,
        comms: *mut HcclComm,
    ) -> HcclResult;
    /// Destroys a communicator. Its collectives have ended before.
    pub fn HcclCommDestroy(comm: HcclComm) -> HcclResult;
    /// Returns the number of ranks of a group.
    ///
    /// - `comm`: one of its communicators
    /// - `rankSize`: receives it
    pub fn HcclGetRankSize(comm: HcclComm, rankSize: *mut u32) -> HcclResult;
    /// Returns the number of a rank in its group.
    ///
    /// - `comm`: the communicator
    /// - `rank`: receives it
    pub fn HcclGetRankId(comm: HcclComm, rank: *mut u32) -> HcclResult;
    /// Returns the name of a group.
    ///
    /// - `comm`: one of its communicators
    /// - `commName`: receives a text that ends with NUL, in at least 128 bytes
    pub fn HcclGetCommName(
        comm: HcclComm,
        commName: *mut c_char,
    ) -> HcclResult;
    /// Returns the failure of a collective that was queued.
    ///
    /// - `comm`: the communicator
    /// - `asyncError`: receives it; `HCCL_SUCCESS` if there is none
    pub fn HcclGetCommAsyncError(
        comm: HcclComm,
        asyncError: *mut HcclResult,
    ) -> HcclResult;
    /// Returns a result in words; the text is valid until the process ends.
    pub fn HcclGetErrorString(code: HcclResult) -> *const c_char;
    /// Returns the newest version of `HcclCommConfig` that the library knows. CANN 8.0 and later.
    pub fn HcclGetCommConfigCapability() -> u32;
    /// Finds a communicator by its name.
    pub fn HcclCommGetHandleWithName(
        commName: *const c_char,
        comm: *mut HcclComm,
    ) -> HcclResult;
    /// Returns the state of a communicator by its name.
    pub fn HcclCommGetStatus(
        commId: *const c_char,
        status: *mut HcclCommStatus,
    ) -> HcclResult;
    /// Sets the function that is called when a communicator changes.
    pub fn HcclCommRegCommStateCallback(
        regName: *const c_char,
        cb: HcclCommStateCallback,
        args: *mut c_void,
    ) -> HcclResult;
    /// Returns a setting of a communicator.
    pub fn HcclConfigGetInfo(
        comm: HcclComm,
        cfgType: HcclConfigType,
        infoLen: u32,
        info: *mut c_void,
    ) -> HcclResult;
    /// Returns whether calls are collected between `HcclGroupStart` and `HcclGroupEnd`.
    pub fn HcclGroupStatusGet(isGroupEnabled: *mut bool) -> HcclResult;
    /// Lets all ranks reach memory by the same offset.
    pub fn HcclCommSymWinRegister(
        comm: HcclComm,
        addr: *mut c_void,
        size: u64,
        winHandle: *mut HcclSymWinHandle,
        flag: u32,
    ) -> HcclResult;
    /// Undoes `HcclCommSymWinRegister`.
    pub fn HcclCommSymWinDeregister(winHandle: HcclSymWinHandle) -> HcclResult;
    /// Finds the registered memory that an address lies in, and its offset there.
    pub fn HcclCommSymWinGet(
        comm: HcclComm,
        ptr: *mut c_void,
        size: u64,
        winHandle: *mut HcclSymWinHandle,
        offset: *mut u64,
    ) -> HcclResult;
    /// Combines the elements of all ranks; each rank receives the result.
    ///
    /// - `sendBuf`: `count` elements
    /// - `recvBuf`: receives `count` elements
    /// - `count`: elements
    /// - `dataType`: their type
    /// - `op`: the operation that combines them
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAllReduce(
        sendBuf: *mut c_void,
        recvBuf: *mut c_void,
        count: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Copies the elements of one rank to all.
    ///
    /// - `buf`: `count` elements, read on the root and written on the others
    /// - `count`: elements
    /// - `dataType`: their type
    /// - `root`: the rank that sends
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclBroadcast(
        buf: *mut c_void,
        count: u64,
        dataType: HcclDataType,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Combines the elements of all ranks; each rank receives its part of the result.
    ///
    /// - `sendBuf`: `recvCount` elements for each rank
    /// - `recvBuf`: receives `recvCount` elements
    /// - `recvCount`: elements of a part
    /// - `dataType`: their type
    /// - `op`: the operation that combines them
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclReduceScatter(
        sendBuf: *mut c_void,
        recvBuf: *mut c_void,
        recvCount: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Collects the elements of all ranks, in the order of the ranks; each rank receives all.
    ///
    /// - `sendBuf`: `sendCount` elements
    /// - `recvBuf`: receives `sendCount` elements of each rank
    /// - `sendCount`: elements of a part
    /// - `dataType`: their type
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAllGather(
        sendBuf: *mut c_void,
        recvBuf: *mut c_void,
        sendCount: u64,
        dataType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Combines the elements of all ranks; one rank receives the result.
    ///
    /// - `sendBuf`: `count` elements
    /// - `recvBuf`: receives `count` elements on the root
    /// - `count`: elements
    /// - `dataType`: their type
    /// - `op`: the operation that combines them
    /// - `root`: the rank that receives
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclReduce(
        sendBuf: *mut c_void,
        recvBuf: *mut c_void,
        count: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends elements to another rank, which receives them with `HcclRecv`.
    ///
    /// - `sendBuf`: `count` elements
    /// - `count`: elements
    /// - `dataType`: their type
    /// - `destRank`: the other rank
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclSend(
        sendBuf: *mut c_void,
        count: u64,
        dataType: HcclDataType,
        destRank: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Receives elements that another rank sends with `HcclSend`.
    ///
    /// - `recvBuf`: receives `count` elements
    /// - `count`: elements
    /// - `dataType`: their type
    /// - `srcRank`: the other rank
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclRecv(
        recvBuf: *mut c_void,
        count: u64,
        dataType: HcclDataType,
        srcRank: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends and receives several messages, none of which waits for another.
    ///
    /// - `sendRecvInfo`: the messages
    /// - `itemNum`: the number of messages
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclBatchSendRecv(
        sendRecvInfo: *mut HcclSendRecvItem,
        itemNum: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends to each rank its part of the elements, and receives a part of each; all parts are equally long.
    ///
    /// - `sendBuf`: `sendCount` elements for each rank, by rank
    /// - `sendCount`: elements of a part that is sent
    /// - `sendType`: their type
    /// - `recvBuf`: receives `recvCount` elements of each rank, by rank
    /// - `recvCount`: elements of a part that is received
    /// - `recvType`: their type
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAlltoAll(
        sendBuf: *const c_void,
        sendCount: u64,
        sendType: HcclDataType,
        recvBuf: *const c_void,
        recvCount: u64,
        recvType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends to each rank its part of the elements, and receives a part of each; the caller gives the lengths and beginnings
    /// of the parts. The arrays are read during the call.
    ///
    /// - `sendBuf`: the elements to send
    /// - `sendCounts`: an `uint64_t` for each rank: the elements of its part
    /// - `sdispls`: an `uint64_t` for each rank: the element of `sendBuf` with which its part begins
    /// - `sendType`: the type of the elements to send
    /// - `recvBuf`: receives the elements
    /// - `recvCounts`: an `uint64_t` for each rank: the elements of the part that it sends
    /// - `rdispls`: an `uint64_t` for each rank: the element of `recvBuf` with which its part begins
    /// - `recvType`: the type of the elements to receive
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAlltoAllV(
        sendBuf: *const c_void,
        sendCounts: *const c_void,
        sdispls: *const c_void,
        sendType: HcclDataType,
        recvBuf: *const c_void,
        recvCounts: *const c_void,
        rdispls: *const c_void,
        recvType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends to each rank its part of the elements, and receives a part of each; one matrix holds the lengths of the parts
    /// of all ranks; the parts lie one after the other. The matrix is read during the call.
    ///
    /// - `sendBuf`: the elements to send
    /// - `sendCountMatrix`: an `uint64_t` for each rank that sends (rows) and each that receives (columns)
    /// - `sendType`: the type of the elements to send
    /// - `recvBuf`: receives the elements
    /// - `recvType`: the type of the elements to receive
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAlltoAllVC(
        sendBuf: *const c_void,
        sendCountMatrix: *const c_void,
        sendType: HcclDataType,
        recvBuf: *const c_void,
        recvType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Sends to each rank its part of the elements that one rank has.
    ///
    /// - `sendBuf`: on the root: `recvCount` elements for each rank, by rank
    /// - `recvBuf`: receives `recvCount` elements
    /// - `recvCount`: elements of a part
    /// - `dataType`: their type
    /// - `root`: the rank that sends
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclScatter(
        sendBuf: *mut c_void,
        recvBuf: *mut c_void,
        recvCount: u64,
        dataType: HcclDataType,
        root: u32,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Gives every rank the elements of all ranks, of which each may have another number. The arrays are read during the call.
    ///
    /// - `sendBuf`: `sendCount` elements, which may lie at their own place in `recvBuf`
    /// - `sendCount`: the number of them
    /// - `recvBuf`: receives the elements of all ranks
    /// - `recvCounts`: an `uint64_t` for each rank: the elements that it sends
    /// - `recvDispls`: an `uint64_t` for each rank: the element of `recvBuf` with which its part begins
    /// - `dataType`: the type of the elements
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclAllGatherV(
        sendBuf: *mut c_void,
        sendCount: u64,
        recvBuf: *mut c_void,
        recvCounts: *const c_void,
        recvDispls: *const c_void,
        dataType: HcclDataType,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Combines the elements of all ranks, and gives each rank a part, of which each may have another number of elements. The
    /// arrays are the same on all ranks, and read during the call.
    ///
    /// - `sendBuf`: the elements to combine
    /// - `sendCounts`: an `uint64_t` for each rank: the elements of its part
    /// - `sendDispls`: an `uint64_t` for each rank: the element of `sendBuf` with which its part begins
    /// - `recvBuf`: receives the own part
    /// - `recvCount`: the number of elements of the own part
    /// - `dataType`: the type of the elements
    /// - `op`: how elements are combined
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclReduceScatterV(
        sendBuf: *mut c_void,
        sendCounts: *const c_void,
        sendDispls: *const c_void,
        recvBuf: *mut c_void,
        recvCount: u64,
        dataType: HcclDataType,
        op: HcclReduceOp,
        comm: HcclComm,
        stream: aclrtStream,
    ) -> HcclResult;
    /// Holds the stream until every rank of the group is there.
    ///
    /// - `comm`: the communicator
    /// - `stream`: the stream
    pub fn HcclBarrier(comm: HcclComm, stream: aclrtStream) -> HcclResult;
    /// Gives a communicator one of the units.
    pub fn HcclCommAssignCcuIns(comm: HcclComm, insHandle: u64) -> HcclResult;
    /// Lists the units that a communicator was given.
    pub fn HcclCommQueryAssignedCcuIns(
        comm: HcclComm,
        insHandles: *mut u64,
        insNum: *mut u32,
    ) -> HcclResult;
    /// Lists the units that a communicator may be given.
    pub fn HcclCommQueryCcuIns(
        comm: HcclComm,
        insHandles: *mut u64,
        insNum: *mut u32,
    ) -> HcclResult;
    /// Returns the buffer of a communicator.
    pub fn HcclGetHcclBuffer(
        comm: HcclComm,
        buffer: *mut *mut c_void,
        size: *mut u64,
    ) -> HcclResult;
    /// Returns the buffer of a communicator, filled with zeros.
    pub fn HcclGetHcclBufferCleared(
        comm: HcclComm,
        buffer: *mut *mut c_void,
        size: *mut u64,
    ) -> HcclResult;
    /// Lets a communicator use memory of the program.
    pub fn HcclCommMemReg(
        comm: HcclComm,
        memTag: *const c_char,
        mem: *const CommMem,
        memHandle: *mut *mut c_void,
    ) -> HcclResult;
    /// Acquires threads of a communicator.
    pub fn HcclThreadAcquire(
        comm: HcclComm,
        engine: CommEngine,
        threadNum: u32,
        notifyNumPerThread: u32,
        threads: *mut u64,
    ) -> HcclResult;
    /// Acquires threads of a communicator, with settings.
    pub fn HcclThreadAcquireWithConfig(
        comm: HcclComm,
        engine: CommEngine,
        threadNum: u32,
        type_: ThreadType,
        config: *const ThreadConfig,
        threads: *mut u64,
    ) -> HcclResult;
    /// Acquires a thread of a communicator that works in a stream.
    pub fn HcclThreadAcquireWithStream(
        comm: HcclComm,
        engine: CommEngine,
        stream: aclrtStream,
        notifyNum: u32,
        thread: *mut u64,
    ) -> HcclResult;
    /// Acquires a thread that the library keeps for a purpose.
    pub fn HcclDedicatedThreadAcquire(
        comm: HcclComm,
        useType: HcclDedicatedThreadType,
        notifyNumPerThread: u32,
        thread: *mut u64,
    ) -> HcclResult;
    /// Answers a question about a thread.
    pub fn HcclThreadResGetInfo(
        comm: HcclComm,
        thread: u64,
        resType: ThreadResType,
        infoLen: u32,
        info: *mut *mut c_void,
    ) -> HcclResult;
    /// Makes memory that the work of a communicator keeps.
    pub fn HcclEngineCtxCreate(
        comm: HcclComm,
        ctxTag: *const c_char,
        engine: CommEngine,
        size: u64,
        ctx: *mut *mut c_void,
    ) -> HcclResult;
    /// Finds memory that the work of a communicator keeps.
    pub fn HcclEngineCtxGet(
        comm: HcclComm,
        ctxTag: *const c_char,
        engine: CommEngine,
        ctx: *mut *mut c_void,
        size: *mut u64,
    ) -> HcclResult;
    /// Copies into memory that the work of a communicator keeps.
    pub fn HcclEngineCtxCopy(
        comm: HcclComm,
        engine: CommEngine,
        ctxTag: *const c_char,
        srcCtx: *const c_void,
        size: u64,
        dstCtxOffset: u64,
    ) -> HcclResult;
    /// Frees memory that the work of a communicator keeps.
    pub fn HcclEngineCtxDestroy(
        comm: HcclComm,
        ctxTag: *const c_char,
        engine: CommEngine,
    ) -> HcclResult;
    /// Makes channels, or finds those that are there.
    pub fn HcclChannelAcquire(
        comm: HcclComm,
        engine: CommEngine,
        channelDescs: *const HcclChannelDesc,
        channelNum: u32,
        channels: *mut u64,
    ) -> HcclResult;
    /// Makes channels with settings, or finds those that are there.
    pub fn HcclChannelAcquireWithConfig(
        comm: HcclComm,
        engine: CommEngine,
        channelDescs: *const HcclChannelDesc,
        channelNum: u32,
        config: *mut c_void,
        channels: *mut u64,
    ) -> HcclResult;
    /// Finds channels that are there.
    pub fn HcclChannelQuery(
        comm: HcclComm,
        engine: CommEngine,
        channelDescs: *const HcclChannelDesc,
        channelNum: u32,
        channels: *mut u64,
    ) -> HcclResult;
    /// Destroys channels.
    pub fn HcclChannelDestroy(
        comm: HcclComm,
        channels: *const u64,
        channelNum: u32,
    ) -> HcclResult;
    /// Makes settings of channels.
    pub fn HcclChannelConfigCreate(config: *mut *mut c_void) -> HcclResult;
    /// Frees settings of channels.
    pub fn HcclChannelConfigDestroy(config: *mut c_void) -> HcclResult;
    /// Sets a number of them.
    pub fn HcclChannelConfigSetInt(
        config: *mut c_void,
        type_: HcclChannelConfigType,
        value: u32,
    ) -> HcclResult;
    /// Sets a text of them.
    pub fn HcclChannelConfigSetStr(
        config: *mut c_void,
        type_: HcclChannelConfigType,
        value: *const c_char,
    ) -> HcclResult;
    /// Returns the buffer of the rank at the other end.
    pub fn HcclChannelGetHcclBuffer(
        comm: HcclComm,
        channel: u64,
        buffer: *mut *mut c_void,
        size: *mut u64,
    ) -> HcclResult;
    /// Lists the memory of the rank at the other end.
    pub fn HcclChannelGetRemoteMems(
        comm: HcclComm,
        channel: u64,
        memNum: *mut u32,
        remoteMems: *mut *mut CommMem,
        memTags: *mut *mut *mut c_char,
    ) -> HcclResult;
    /// Launches a function of a collective.
    pub fn HcclAicpuKernelLaunch(
        comm: HcclComm,
        opInfo: *const HcclOpDesc,
        funcInfo: *const HcclKernelFuncInfo,
        aicpuThreadHandle: u64,
        userStream: aclrtStream,
        kernelLaunchCfg: *const HcclKernelLaunchCfg,
    ) -> HcclResult;
    /// Makes the description of the communication of an operator.
    pub fn HcclKfcAllocOpArgs(opArgs: *mut *mut c_void) -> HcclResult;
    /// Frees such a description.
    pub fn HcclKfcFreeOpArgs(opArgs: *mut c_void) -> HcclResult;
    /// Sets the type of the elements that are read.
    pub fn HcclKfcOpArgsSetSrcDataType(
        opArgs: *mut c_void,
        srcDataType: u8,
    ) -> HcclResult;
    /// Sets the type of the elements that are written.
    pub fn HcclKfcOpArgsSetDstDataType(
        opArgs: *mut c_void,
        dstDataType: u8,
    ) -> HcclResult;
    /// Sets the operation that combines elements.
    pub fn HcclKfcOpArgsSetReduceType(
        opArgs: *mut c_void,
        reduceType: u32,
    ) -> HcclResult;
    /// Sets the number of elements.
    pub fn HcclKfcOpArgsSetCount(
        opArgs: *mut c_void,
        count: u64,
    ) -> HcclResult;
    /// Sets the algorithm.
    pub fn HcclKfcOpArgsSetAlgConfig(
        opArgs: *mut c_void,
        algConfig: *mut c_char,
    ) -> HcclResult;
    /// Sets the engine that runs the communication.
    pub fn HcclKfcOpArgsSetCommEngine(
        opArgs: *mut c_void,
        commEngine: u8,
    ) -> HcclResult;
    /// Makes the device context that an operator needs to communicate.
    pub fn HcclCreateOpResCtx(
        comm: HcclComm,
        opType: u8,
        opArgs: *mut c_void,
        opResCtx: *mut *mut c_void,
    ) -> HcclResult;
    /// Returns whether the products of a group differ.
    pub fn HcclGetHeterogMode(comm: HcclComm, mode: *mut HcclHeterogMode) -> HcclResult;
    /// Lists the layers of the network.
    pub fn HcclRankGraphGetLayers(
        comm: HcclComm,
        netLayers: *mut *mut u32,
        netLayerNum: *mut u32,
    ) -> HcclResult;
    /// Lists the ranks of a layer that this rank belongs to.
    pub fn HcclRankGraphGetRanksByLayer(
        comm: HcclComm,
        netLayer: u32,
        ranks: *mut *mut u32,
        rankNum: *mut u32,
    ) -> HcclResult;
    /// Counts the ranks of a layer that this rank belongs to.
    pub fn HcclRankGraphGetRankSizeByLayer(
        comm: HcclComm,
        netLayer: u32,
        rankNum: *mut u32,
    ) -> HcclResult;
    /// Counts the ranks of each part of a layer.
    pub fn HcclRankGraphGetInstSizeListByLayer(
        comm: HcclComm,
        netLayer: u32,
        instSizeList: *mut *mut u32,
        listSize: *mut u32,
    ) -> HcclResult;
    /// Returns the topology of a layer.
    pub fn HcclRankGraphGetTopoTypeByLayer(
        comm: HcclComm,
        netLayer: u32,
        topoType: *mut CommTopo,
    ) -> HcclResult;
    /// Lists the topologies of a layer.
    pub fn HcclRankGraphGetTopoInstsByLayer(
        comm: HcclComm,
        netLayer: u32,
        topoInsts: *mut *mut u32,
        topoInstNum: *mut u32,
    ) -> HcclResult;
    /// Returns the kind of a topology.
    pub fn HcclRankGraphGetTopoType(
        comm: HcclComm,
        netLayer: u32,
        topoInstId: u32,
        topoType: *mut CommTopo,
    ) -> HcclResult;
    /// Lists the ranks of a topology.
    pub fn HcclRankGraphGetRanksByTopoInst(
        comm: HcclComm,
        netLayer: u32,
        topoInstId: u32,
        ranks: *mut *mut u32,
        rankNum: *mut u32,
    ) -> HcclResult;
    /// Lists the links between two ranks.
    pub fn HcclRankGraphGetLinks(
        comm: HcclComm,
        netLayer: u32,
        srcRank: u32,
        dstRank: u32,
        links: *mut *mut CommLink,
        linkNum: *mut u32,
    ) -> HcclResult;
    /// Counts the ends of links of this rank in a topology.
    pub fn HcclRankGraphGetEndpointNum(
        comm: HcclComm,
        layer: u32,
        topoInstId: u32,
        num: *mut u32,
    ) -> HcclResult;
    /// Lists the ends of links of this rank in a topology.
    pub fn HcclRankGraphGetEndpointDesc(
        comm: HcclComm,
        layer: u32,
        topoInstId: u32,
        descNum: *mut u32,
        endpointDesc: *mut EndpointDesc,
    ) -> HcclResult;
    /// Answers a question about an end of links.
    pub fn HcclRankGraphGetEndpointInfo(
        comm: HcclComm,
        rankId: u32,
        endpointDesc: *const EndpointDesc,
        endpointAttr: EndpointAttr,
        infoLen: u32,
        info: *mut c_void,
    ) -> HcclResult;
    /// Returns the address of an offset on another rank.
    pub fn HcclSymWinGetPeerPointer(
        winHandle: HcclSymWinHandle,
        offset: u64,
        peerRank: u32,
        ptr: *mut *mut c_void,
    ) -> HcclResult;
    /// Makes a team of all ranks.
    pub fn HcclWorldTeamCreate(
        comm: HcclComm,
        desc: *const HcclTeamCreateDesc,
        worldTeam: *mut *mut u64,
    ) -> HcclResult;
    /// Makes a team of some ranks of a team.
    pub fn HcclSubTeamCreate(
        worldTeam: *mut u64,
        desc: *const HcclTeamCreateDesc,
        team: *mut *mut u64,
    ) -> HcclResult;
    /// Destroys a team.
    pub fn HcclTeamDestroy(team: *mut u64) -> HcclResult;
    /// Makes the channels of a team.
    pub fn HcclTeamChannelsCreate(
        comm: HcclComm,
        team: *mut u64,
        desc: *const HcclTeamCreateChannelsDesc,
    ) -> HcclResult;
    /// Lets the ranks of a team reach memory.
    pub fn HcclTeamWindowRegister(
        comm: HcclComm,
        worldTeam: *mut u64,
        localMem: *const CommMem,
        window: *mut *mut u64,
        flag: u32,
    ) -> HcclResult;
    /// Undoes `HcclTeamWindowRegister`.
    pub fn HcclTeamWindowDeregister(worldTeam: *mut u64, window: *mut u64) -> HcclResult;
    /// Makes channels.
    pub fn HcommChannelCreate(
        endpointHandle: *mut c_void,
        engine: CommEngine,
        channelDescs: *mut HcommChannelDesc,
        channelNum: u32,
        channels: *mut u64,
    ) -> i32;
    /// Makes channels with settings.
    pub fn HcommChannelCreateWithConfig(
        endpointHandle: *mut c_void,
        engine: CommEngine,
        channelDescs: *mut HcommChannelDesc,
        channelNum: u32,
        config: *mut c_void,
        channels: *mut u64,
    ) -> i32;
    /// Destroys channels.
    pub fn HcommChannelDestroy(channels: *const u64, channelNum: u32) -> i32;
    /// Returns the states of channels.
    pub fn HcommChannelGetStatus(
        channelList: *const u64,
        listNum: u32,
        statusList: *mut i32,
    ) -> i32;
    /// Makes settings of channels.
    pub fn HcommChannelConfigCreate(config: *mut *mut c_void) -> i32;
    /// Frees settings of channels.
    pub fn HcommChannelConfigDestroy(config: *mut c_void) -> i32;
    /// Sets a number of them.
    pub fn HcommChannelConfigSetInt(
        config: *mut c_void,
        type_: HcommChannelConfigType,
        value: u32,
    ) -> i32;
    /// Holds a communicator by its name.
    pub fn HcommAcquireComm(commId: *const c_char) -> i32;
    /// Undoes `HcommAcquireComm`.
    pub fn HcommReleaseComm(commId: *const c_char) -> i32;
    /// Begins to collect steps.
    pub fn HcommBatchModeStart(batchTag: *const c_char) -> i32;
    /// Gives the collected steps to their threads.
    pub fn HcommBatchModeEnd(batchTag: *const c_char) -> i32;
    /// Copies on a thread.
    pub fn HcommLocalCopyOnThread(
        thread: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Combines elements on a thread.
    pub fn HcommLocalReduceOnThread(
        thread: u64,
        dst: *mut c_void,
        src: *const c_void,
        count: u64,
        dataType: HcommDataType,
        reduceOp: HcommReduceOp,
    ) -> i32;
    /// Writes to the other end on a thread.
    pub fn HcommWriteOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Combines with elements of the other end, there, on a thread.
    pub fn HcommWriteReduceOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        count: u64,
        dataType: HcommDataType,
        reduceOp: HcommReduceOp,
    ) -> i32;
    /// Writes to the other end on a thread and signals it.
    pub fn HcommWriteWithNotifyOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
        remoteNotifyIdx: u32,
    ) -> i32;
    /// Combines with elements of the other end, there, on a thread, and signals it.
    pub fn HcommWriteReduceWithNotifyOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        count: u64,
        dataType: HcommDataType,
        reduceOp: HcommReduceOp,
        remoteNotifyIdx: u32,
    ) -> i32;
    /// Reads from the other end on a thread.
    pub fn HcommReadOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Combines with elements of the other end, here, on a thread.
    pub fn HcommReadReduceOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        count: u64,
        dataType: HcommDataType,
        reduceOp: HcommReduceOp,
    ) -> i32;
    /// Writes to the other end without waiting.
    pub fn HcommWriteNbi(
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Writes to the other end without waiting, and signals it.
    pub fn HcommWriteWithNotifyNbi(
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
        remoteNotifyIdx: u32,
    ) -> i32;
    /// Reads from the other end without waiting.
    pub fn HcommReadNbi(
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Writes to the other end on a thread without waiting.
    pub fn HcommWriteNbiOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Writes to the other end on a thread without waiting, and signals it.
    pub fn HcommWriteWithNotifyNbiOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
        remoteNotifyIdx: u32,
    ) -> i32;
    /// Reads from the other end on a thread without waiting.
    pub fn HcommReadNbiOnThread(
        thread: u64,
        channel: u64,
        dst: *mut c_void,
        src: *const c_void,
        len: u64,
    ) -> i32;
    /// Does several transfers on a thread.
    pub fn HcommBatchTransferOnThread(
        thread: u64,
        channel: u64,
        transferDescs: *const HcommBatchTransferDesc,
        transferDescNum: u32,
    ) -> i32;
    /// Signals the other end.
    pub fn HcommChannelNotifyRecord(channel: u64, remoteNotifyIdx: u32) -> i32;
    /// Waits for a signal of the other end.
    pub fn HcommChannelNotifyWait(
        channel: u64,
        localNotifyIdx: u32,
        timeOut: u32,
    ) -> i32;
    /// Signals the other end on a thread.
    pub fn HcommChannelNotifyRecordOnThread(
        thread: u64,
        channel: u64,
        remoteNotifyIdx: u32,
    ) -> i32;
    /// Waits for a signal of the other end on a thread.
    pub fn HcommChannelNotifyWaitOnThread(
        thread: u64,
        channel: u64,
        localNotifyIdx: u32,
        timeOut: u32,
    ) -> i32;
    /// Waits for a signal of the other end on a thread, up to the time limit that is set.
    pub fn HcommChannelNotifyWaitOnThreadWithDefaultTimeout(
        thread: u64,
        channel: u64,
        localNotifyIdx: u32,
    ) -> i32;
    /// Signals another thread.
    pub fn HcommThreadNotifyRecordOnThread(
        thread: u64,
        dstThread: u64,
        dstNotifyIdx: u32,
    ) -> i32;
    /// Waits for a signal of another thread.
    pub fn HcommThreadNotifyWaitOnThread(
        thread: u64,
        notifyIdx: u32,
        timeOut: u32,
    ) -> i32;
    /// Waits for a signal of another thread, up to the time limit that is set.
    pub fn HcommThreadNotifyWaitOnThreadWithDefaultTimeout(
        thread: u64,
        notifyIdx: u32,
    ) -> i32;
    /// Gives the signal of a notify on a thread.
    pub fn HcommAclrtNotifyRecordOnThread(thread: u64, dstNotifyId: u64) -> i32;
    /// Waits for the signal of a notify on a thread.
    pub fn HcommAclrtNotifyWaitOnThread(thread: u64, notifyId: u64, timeOut: u32) -> i32;
    /// Lets later work on a channel wait for earlier work.
    pub fn HcommChannelFence(channel: u64) -> i32;
    /// Lets later work on a channel wait for earlier work, on a thread.
    pub fn HcommChannelFenceOnThread(thread: u64, channel: u64) -> i32;
    /// Waits on a thread until a channel is empty.
    pub fn HcommChannelDrainOnThread(thread: u64, channel: u64) -> i32;
    /// Lets later work on a thread wait for earlier work.
    pub fn HcommFenceOnThread(thread: u64) -> i32;
    /// Sets the time limit of waits for signals.
    pub fn HcommSetNotifyWaitTimeOut(timeOut: f32) -> i32;
    /// Sets the time limit of waits for threads.
    pub fn HcommThreadResAcquireTimeOut(timeOut: f32) -> i32;
    /// Begins to keep steps under a name.
    pub fn HcommAicpuTsTaskCacheStart(
        tag: *const c_char,
        addrs: *mut *mut c_void,
        sizes: *mut u64,
        count: u64,
    ) -> i32;
    /// Ends keeping steps.
    pub fn HcommAicpuTsTaskCacheEnd(tag: *const c_char) -> i32;
    /// Returns whether steps are kept under a name.
    pub fn HcommAicpuTsTaskCacheLookup(
        tag: *const c_char,
        isHit: *mut bool,
    ) -> i32;
    /// Gives kept steps to their threads again, with other addresses.
    pub fn HcommAicpuTsTaskCacheExecute(
        tag: *const c_char,
        addrs: *mut *mut c_void,
        sizes: *mut u64,
        count: u64,
    ) -> i32;
    /// Forgets the steps kept under a name.
    pub fn HcommAicpuTsTaskCacheClear(tag: *const c_char) -> i32;
    /// Counts the ends of links of a device.
    pub fn HcommEndpointGetDescNum(deviceLogicId: i32, descNum: *mut u32) -> i32;
    /// Lists the ends of links of a device.
    pub fn HcommEndpointGetDescs(
        deviceLogicId: i32,
        descNum: *mut u32,
        endpointDescs: *mut EndpointDesc,
    ) -> i32;
    /// Begins to use an end of links.
    pub fn HcommEndpointCreate(
        endpoint: *const EndpointDesc,
        endpointHandle: *mut *mut c_void,
    ) -> i32;
    /// Undoes `HcommEndpointCreate`.
    pub fn HcommEndpointDestroy(endpointHandle: *mut c_void) -> i32;
    /// Returns whether an end of links has a feature.
    pub fn HcommEndpointCheckFeature(
        featureType: HcommEndpointFeatureType,
        endpointDesc: *const EndpointDesc,
        value: *mut bool,
    ) -> i32;
    /// Returns the port at which an end of links listens.
    pub fn HcommEndpointGetListenPort(
        endpointHandle: *mut c_void,
        port: *mut u32,
    ) -> i32;
    /// Allocates memory.
    pub fn HcommMemAlloc(ptr: *mut *mut c_void, size: u64) -> i32;
    /// Frees memory.
    pub fn HcommMemFree(ptr: *mut c_void) -> i32;
    /// Lets an end of links use memory.
    pub fn HcommMemReg(
        endpointHandle: *mut c_void,
        memTag: *const c_char,
        mem: *const CommMem,
        memHandle: *mut *mut c_void,
    ) -> i32;
    /// Undoes `HcommMemReg`.
    pub fn HcommMemUnreg(
        endpointHandle: *mut c_void,
        memHandle: *mut c_void,
    ) -> i32;
    /// Describes memory for the other end.
    pub fn HcommMemExport(
        endpointHandle: *mut c_void,
        memHandle: *mut c_void,
        memDesc: *mut *mut c_void,
        memDescLen: *mut u32,
    ) -> i32;
    /// Begins to use memory of the other end.
    pub fn HcommMemImport(
        endpointHandle: *mut c_void,
        memDesc: *const c_void,
        descLen: u32,
        outMem: *mut CommMem,
    ) -> i32;
    /// Undoes `HcommMemImport`.
    pub fn HcommMemUnimport(
        endpointHandle: *mut c_void,
        memDesc: *const c_void,
        descLen: u32,
    ) -> i32;
    /// Makes threads.
    pub fn HcommThreadAlloc(
        engine: CommEngine,
        threadNum: u32,
        notifyNumPerThread: *const u32,
        threads: *mut u64,
    ) -> i32;
    /// Frees threads.
    pub fn HcommThreadFree(threads: *const u64, threadNum: u32) -> i32;
    /// Answers a question about a thread.
    pub fn HcommThreadResGetInfo(
        thread: u64,
        resType: ThreadResType,
        infoLen: u32,
        info: *mut *mut c_void,
    ) -> i32;
}
