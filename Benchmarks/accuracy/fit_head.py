#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the five points of `faceModel` to portraits, and prints how far the angles of several models are
from those of MediaPipe's FaceMesh.

    python3 -m venv venv && venv/bin/pip install 'mediapipe<=0.10.21' scipy
    venv/bin/python fit_head.py ../../../shared/training/net.zip

The five points of each portrait are annotated by people. Ground truth for yaw and pitch is the rotation of
FaceMesh's 468 points against their mean over all portraits. That mean faces the viewer when its eyes are
equally deep and its five points, seen from the side, match those of MediaPipe's canonical face. Portraits
where FaceMesh and people disagree about the eyes are left out. Every second portrait is for the fit, the others
check it.
"""

import argparse
import io
import json
import zipfile

import numpy as np
from PIL import Image

RIGHT_EYE, LEFT_EYE = [33, 133, 159, 145], [263, 362, 386, 374]
NOSE, RIGHT_MOUTH, LEFT_MOUTH = 1, 61, 291
# Depth and height of the nose and of the mouth: y, z, x, y, z.
MODELS = {
    "canonical": (0.593, 0.605, 0.388, 1.101, 0.101),
    "FaceModel": (0.55, 0.60, 0.42, 0.99, 0.02),
}


def five_points(numbers):
    nose_y, nose_z, mouth_x, mouth_y, mouth_z = numbers
    return np.array([
        [-0.5, 0, 0], [0.5, 0, 0], [0, nose_y, nose_z],
        [-mouth_x, mouth_y, mouth_z], [mouth_x, mouth_y, mouth_z]])


def portraits(path):
    """The pictures, and people's five points, 5 × 2."""
    with zipfile.ZipFile(path) as archive:
        labels = json.loads(archive.read("labels.json"))
        for name in sorted(labels):
            points = np.array(labels[name]["faces"][0][5:15]).reshape(5, 2)
            picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
            yield np.asarray(picture), points


def mesh_points(mesh):
    """The five points of a mesh of 468 × 3."""
    return np.stack([
        mesh[RIGHT_EYE].mean(0), mesh[LEFT_EYE].mean(0), mesh[NOSE], mesh[RIGHT_MOUTH],
        mesh[LEFT_MOUTH]])


def measure(path):
    """FaceMesh's points, 468 × 3 with z at the viewer, and people's, of each portrait it sees."""
    import mediapipe  # Only here, since the others need the rest of this file without it.

    meshes, people, count = [], [], 0
    with mediapipe.solutions.face_mesh.FaceMesh(
        static_image_mode=True, max_num_faces=1, min_detection_confidence=0.3) as network:
        for picture, points in portraits(path):
            count += 1
            found = network.process(picture).multi_face_landmarks
            if not found:
                continue
            height, width = picture.shape[:2]
            mesh = np.array([
                [point.x * width, point.y * height, -point.z * width]
                for point in found[0].landmark])
            between = np.linalg.norm(points[0] - points[1])
            if np.abs(mesh_points(mesh)[:2, :2] - points[:2]).max() < 0.25 * between:
                meshes.append(mesh)
                people.append(points)
    print(f"{count} portraits, {len(meshes)} with the same face in FaceMesh")
    return np.array(meshes), np.array(people)


def rotation(source, target):
    """The least-squares rotation from points about their centre to others (Kabsch)."""
    u, _, v = np.linalg.svd(target.T @ source)
    return u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v


def shape(mesh):
    mesh = mesh - mesh.mean(0)
    return mesh / np.sqrt((mesh ** 2).sum())


def true_angles(meshes):
    """Yaw and pitch in degrees, n × 2."""
    meshes = [shape(mesh) for mesh in meshes]
    mean = meshes[0]
    for _ in range(5):
        mean = shape(np.mean([rotation(mesh, mean) @ mesh.T for mesh in meshes], 0).T)
    mean = mean @ frontal(mean).T
    turns = [rotation(mean, mesh) for mesh in meshes]
    return np.degrees([
        (np.arcsin(turn[2, 0]), np.arctan2(turn[2, 1], turn[2, 2])) for turn in turns])


def frontal(mean):
    """The rotation that turns the mean face to the viewer."""
    points = mesh_points(mean)
    across = points[1] - points[0]
    across /= np.linalg.norm(across)
    down = points[3:].mean(0) - points[:2].mean(0)
    down -= across * (across @ down)
    down /= np.linalg.norm(down)
    turn = np.stack([across, down, np.cross(across, down)])
    seen = points @ turn.T
    side = (seen - seen.mean(0))[:, 1:] @ [1, 1j]
    canonical = five_points(MODELS["canonical"])
    expected = (canonical - canonical.mean(0))[:, 1:] @ [1, 1j]
    angle = np.angle(np.vdot(side, expected))
    nod = np.array([
        [1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    return nod @ turn


def view(model, yaw, pitch):
    """The model turned, as complex numbers, and its derivatives by both angles; n × 5 each."""
    x, y, z = (model - model.mean(0)).T[:, None, :]
    yaw, pitch = yaw[:, None], pitch[:, None]
    turned_y = y * np.cos(pitch) - z * np.sin(pitch)
    turned_z = y * np.sin(pitch) + z * np.cos(pitch)
    return (
        x * np.cos(yaw) - turned_z * np.sin(yaw) + 1j * turned_y,
        -x * np.sin(yaw) - turned_z * np.cos(yaw) + 0j,
        -turned_y * np.sin(yaw) - 1j * turned_z)


def angles(model, points):
    """Yaw and pitch in degrees, n × 2, as `HeadPoseFit` finds them in people's points."""
    target = points[..., 0] + 1j * points[..., 1]
    target = target - target.mean(1, keepdims=True)
    target /= np.sqrt((np.abs(target) ** 2).mean(1, keepdims=True))
    dot = lambda a, b: (a.conj() * b).sum(1, keepdims=True)

    def errors(yaw, pitch):
        seen = view(model, yaw, pitch)[0]
        return target - dot(seen, target) / dot(seen, seen) * seen

    yaw = pitch = np.zeros(len(points))
    residual = errors(yaw, pitch)
    damping = np.full(len(points), 1e-3)
    for _ in range(30):
        seen, *derivatives = view(model, yaw, pitch)
        norm = dot(seen, seen)
        size = dot(seen, target) / norm
        by_yaw, by_pitch = (size * (d - dot(seen, d) / norm * seen) for d in derivatives)
        a = dot(by_yaw, by_yaw).real[:, 0] * (1 + damping)
        d = dot(by_pitch, by_pitch).real[:, 0] * (1 + damping)
        b = dot(by_yaw, by_pitch).real[:, 0]
        e, f = dot(by_yaw, residual).real[:, 0], dot(by_pitch, residual).real[:, 0]
        determinant = a * d - b * b
        next_yaw = yaw + (d * e - b * f) / determinant
        next_pitch = pitch + (a * f - b * e) / determinant
        next_residual = errors(next_yaw, next_pitch)
        better = (np.abs(next_residual) ** 2).sum(1) < (np.abs(residual) ** 2).sum(1)
        yaw = np.where(better, next_yaw, yaw)
        pitch = np.where(better, next_pitch, pitch)
        residual = np.where(better[:, None], next_residual, residual)
        damping *= np.where(better, 0.1, 10)
    return np.degrees(np.stack([
        np.arcsin(np.sin(yaw)), np.arctan(np.tan(pitch))], 1))


def describe(name, model, points, truth):
    found = angles(model, points)
    error = found - truth
    slopes = [np.polyfit(truth[:, axis], found[:, axis], 1)[0] for axis in (0, 1)]
    frontal_faces = np.abs(truth[:, 0]) < 10
    print(
        f"{name}: yaw's mean error {np.abs(error[:, 0]).mean():.2f}, slope {slopes[0]:.2f}; pitch's "
        f"scatter {error[:, 1].std():.2f}, mean error {error[:, 1].mean():+.2f}, slope "
        f"{slopes[1]:.2f}; pitch of faces within 10 degrees of yaw {found[frontal_faces, 1].mean():+.2f} "
        f"(FaceMesh {truth[frontal_faces, 1].mean():+.2f})", flush=True)


def fit(points, truth, start):
    """The five numbers of the least absolute errors of yaw and pitch."""
    from scipy.optimize import minimize

    def loss(numbers):
        return np.abs(angles(five_points(numbers), points) - truth).mean()

    return minimize(
        loss, start, method="Nelder-Mead", options={"maxiter": 400, "xatol": 1e-3, "fatol": 1e-4}).x


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portraits", help="net.zip, of portraits with points by people")
    meshes, people = measure(parser.parse_args().portraits)
    truth = true_angles(meshes)
    halves = [slice(0, None, 2), slice(1, None, 2)]
    for half, other in (halves, halves[::-1]):
        fitted = fit(people[half], truth[half], MODELS["FaceModel"])
        print("fitted:", ", ".join(f"{number:.3f}" for number in fitted))
        describe("  on the other half", five_points(fitted), people[other], truth[other])
    for name, numbers in MODELS.items():
        describe(name, five_points(numbers), people, truth)
