"""Reads the frames in a folder with NumPy, meshio and plyfile, and prints each array as it was read.

A line is: format, part, name of the array, number of rows, bytes (little-endian) in hexadecimal.
"""

import pathlib
import re
import sys

import meshio
import numpy
import plyfile


def show(kind, part, name, values):
    values = numpy.asarray(values)
    rows = values.shape[0] if values.shape else 1
    data = numpy.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes()
    print(kind, part, name, rows, data.hex())


for part in ["fluid", "walls", "bodies", "points"]:
    def frame(kind, extension):
        folder = pathlib.Path(sys.argv[1]) / kind
        return (folder if part == "fluid" else folder / part) / f"frame_000003.{extension}"

    # Whoever calls this knows which parts there are.
    if not frame("npz", "npz").exists():
        continue

    with numpy.load(frame("npz", "npz"), allow_pickle=False) as arrays:
        if part == "fluid":
            assert arrays["fluid_names"].tolist() == ["oil", "water"]
        for name in arrays:
            show("npz", part, name, arrays[name])

    grid = meshio.read(frame("vtk", "vtu"))
    assert [block.type for block in grid.cells] == ["vertex"]
    assert (grid.cells[0].data[:, 0] == numpy.arange(len(grid.points))).all()
    show("vtk", part, "time", grid.field_data["TimeValue"])
    show("vtk", part, "position", grid.points)
    for name, values in grid.point_data.items():
        show("vtk", part, name, values)

    vertices = plyfile.PlyData.read(frame("ply", "ply"))["vertex"]
    vectors = {"position": ["x", "y", "z"], "velocity": ["vx", "vy", "vz"]}
    for name, columns in vectors.items():
        show("ply", part, name, numpy.stack([vertices[column] for column in columns], axis=1))
    for name in [vertex.name for vertex in vertices.properties]:
        if name not in sum(vectors.values(), []):
            show("ply", part, name, vertices[name])

    # A table has no types of its own.
    types = {"time": "f8", "id": "u4", "body": "u4", "set": "u4", "fluid": "u1"}
    table = numpy.genfromtxt(frame("csv", "csv"), delimiter=",", names=True)
    for name, columns in vectors.items():
        show("csv", part, name, numpy.stack([table[column] for column in columns], axis=1).astype("f4"))
    for name in table.dtype.names:
        if name not in sum(vectors.values(), []):
            show("csv", part, name, table[name].astype(types.get(name, "f4")))
