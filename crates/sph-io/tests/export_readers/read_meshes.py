"""Reads surfaces with meshio and bodies with trimesh, and prints each array as it was read.

A line is: file, name of the array, number of rows, bytes (little-endian) in hexadecimal.
"""

import pathlib
import sys

import meshio
import numpy
import trimesh

folder = pathlib.Path(sys.argv[1])


def show(file, name, values, kind):
    values = numpy.ascontiguousarray(values, kind)
    print(file, name, len(values), values.tobytes().hex())


for extension in ["ply", "obj"]:
    mesh = meshio.read(folder / f"frame_000003.{extension}")
    assert [block.type for block in mesh.cells] == ["triangle"]
    show(extension, "vertices", mesh.points, "<f4")
    show(extension, "triangles", mesh.cells[0].data, "<u4")
    if extension == "ply":
        for name, columns in {"normals": ["nx", "ny", "nz"], "velocities": ["vx", "vy", "vz"]}.items():
            show(extension, name, numpy.stack([mesh.point_data[column] for column in columns], axis=1), "<f4")

surface = trimesh.load(folder / "frame_000003.ply")
assert surface.is_watertight and surface.is_winding_consistent
show("trimesh", "volume", [surface.volume], "<f8")

scene = trimesh.load(folder / "bodies.glb")
for node in sorted(scene.graph.nodes_geometry):
    transform, geometry = scene.graph[node]
    mesh = scene.geometry[geometry]
    show(node.replace(" ", "_"), "transform", transform, "<f4")
    # Edges have vertices on both sides.
    mesh.merge_vertices(merge_norm=True)
    assert mesh.is_watertight and mesh.is_winding_consistent, node
    show(node.replace(" ", "_"), "volume", [mesh.volume], "<f8")
