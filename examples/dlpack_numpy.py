"""NumPy arrays through the library `dlpack_library`, given on the command line."""

import ctypes
import gc
import sys

import numpy

library = ctypes.CDLL(sys.argv[1])
python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

# Names of capsules must stay; a used one tells that its tensor was given away.
VERSIONED = (b"dltensor_versioned", b"used_dltensor_versioned", library.doubled)
UNVERSIONED = (b"dltensor", b"used_dltensor", library.doubled_unversioned)
for _, _, function in VERSIONED, UNVERSIONED:
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p]


class Result:
    """What `numpy.from_dlpack` asks."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def doubled(array, form):
    name, used, function = form
    version = {"max_version": (1, 0)} if form is VERSIONED else {}
    capsule = array.__dlpack__(**version)
    pointer = python.PyCapsule_GetPointer(capsule, name)
    python.PyCapsule_SetName(capsule, used)
    result = function(pointer)
    assert result, "see the message above"
    return numpy.from_dlpack(Result(python.PyCapsule_New(result, name, None)))


types = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

# Names of capsules must stay; a used one tells that its tensor was given away.
VERSIONED = (b"dltensor_versioned", b"used_dltensor_versioned", library.doubled)
UNVERSIONED = (b"dltensor", b"used_dltensor", library.doubled_unversioned)
for _, _, function in VERSIONED, UNVERSIONED:
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_void_p]


class Result:
    """What `numpy.from_dlpack` asks."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def doubled(array, form):
    name, used, function = form
    version = {"max_version": (1, 0)} if form is VERSIONED else {}
    capsule = array.__dlpack__(**version)
    pointer = python.PyCapsule_GetPointer(capsule, name)
    python.PyCapsule_SetName(capsule, used)
    result = function(pointer)
    assert result, "see the message above"
    return numpy.from_dlpack(Result(python.PyCapsule_New(result, name, None)))


grid = numpy.arange(24).reshape(2, 3, 4)
layouts = [
    grid,
    grid.T,
    grid[:, ::2, 1:],
    grid[::-1, :, ::-3],
    numpy.broadcast_to(grid[:, :1], (2, 3, 4)),
    grid[:, 3:],
    grid[1, 2, 3, ...],
]
types = ["i1", "i2", "i4", "i8", "u1", "f2", "f4", "f8", "c8", "c16", "?"]
for form in VERSIONED, UNVERSIONED:
    for dtype in types:
        base = (numpy.arange(24) % 2 if dtype == "?" else numpy.arange(24)).astype(dtype).reshape(2, 3, 4)
        for layout in [base, base.T, base[:, ::2, 1:], base[::-1, :, ::-3], base[:, 3:], base[1, 2, 3, ...]]:
            references = sys.getrefcount(base)
            result = doubled(layout, form)
            assert result.dtype == layout.dtype and result.shape == layout.shape, (result, layout)
            assert numpy.array_equal(result, layout + layout), (dtype, result, layout)
            gc.collect()
            assert sys.getrefcount(base) == references, "the array is given back"
            # In the older form NumPy takes everything as read-only.
            if form is VERSIONED and dtype != "?":
                result += result
                assert numpy.array_equal(result, 4 * layout), "the memory is its own"
            del result
    broadcast = numpy.broadcast_to(numpy.arange(3, dtype="i4"), (2, 3))
    if form is VERSIONED:
        assert numpy.array_equal(doubled(broadcast, form), broadcast + broadcast)

print("numpy and aclnn agree")
