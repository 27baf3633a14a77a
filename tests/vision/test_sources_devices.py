"""Every kind of source for real, or against a fake of the driver where this machine has no device."""

from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.sources import Backoff, Frame, LatestSource, PushedPictures, SourceError, open_source
from vision.sources.cameras import RtspGrabber, UsbGrabber
from vision.sources.faults import AbsentCapture, FailingCapture, FakeCapture, StubbornCapture, plain_picture
from vision.sources.jpeg import decode, size_of
from vision.sources.mjpeg import MjpegGrabber, boundary_of
from vision.sources.opening import grabber_for
from vision.sources.urls import split_login, without_password

FAST = Backoff(first=0.02, longest=0.1)


def jpeg(number: int, size: tuple[int, int] = (64, 36)) -> bytes:
    return cv2.imencode(".jpg", plain_picture(number, size))[1].tobytes()


def brightness(frame: Frame | None) -> int:
    assert frame is not None
    return int(frame.picture[0, 0, 0])


def first(source: LatestSource) -> Frame:
    frame = source.newer(0, 5.0)
    assert frame is not None, source.state
    return frame


# USB


def test_usb_locks_the_automatic_controls_after_they_settled() -> None:
    capture = FakeCapture()
    grabber = UsbGrabber("camera 0", lambda: capture, (1280, 720))
    grabber.open()
    assert (cv2.CAP_PROP_AUTO_EXPOSURE, 3.0) in capture.written
    for _ in range(19):
        grabber.grab()
    assert grabber.notes == ()
    grabber.grab()
    assert grabber.notes == ("exposure locked", "white balance locked", "focus locked")
    assert (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0) in capture.written
    assert (cv2.CAP_PROP_EXPOSURE, 156.0) in capture.written
    assert capture.values[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    grabber.close()
    assert capture.released


def test_usb_says_what_cannot_be_locked_and_reads_on() -> None:
    grabber = UsbGrabber("camera 0", StubbornCapture, (1280, 720))
    grabber.open()
    for _ in range(21):
        grabber.grab()
    assert grabber.notes[0] == "exposure cannot be locked on this camera"
    assert grabber.picture() is not None


def test_usb_that_is_pulled_out_is_opened_again() -> None:
    opened: list[FakeCapture] = []

    def opener() -> FakeCapture:
        opened.append(AbsentCapture() if len(opened) == 1 else FakeCapture(pictures=3))
        return opened[-1]

    source = LatestSource(UsbGrabber("camera 0", opener, (64, 36)), max_fps=1000, backoff=FAST)
    try:
        end = time.monotonic() + 5
        while len(opened) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        assert source.state.reconnects >= 2
    finally:
        source.close()
    assert opened[0].released and opened[1].released


def test_a_driver_that_raises_is_a_dead_source_not_a_dead_thread() -> None:
    grabber = UsbGrabber("camera 0", FailingCapture, (64, 36))
    grabber.open()
    with pytest.raises(SourceError, match="went away"):
        grabber.grab()


# MJPEG over HTTP


Body = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextmanager
def server(body: Body) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                body(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}/video"
        finally:
            running.shutdown()
            thread.join()


def stream_of(parts: list[bytes], *, length: bool = True, boundary: str = "frame") -> Body:
    def body(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={boundary}")
        handler.end_headers()
        for part in parts:
            size = f"Content-Length: {len(part)}\r\n" if length else ""
            handler.wfile.write(
                f"--frame\r\nContent-Type: image/jpeg\r\n{size}\r\n".encode() + part + b"\r\n"
            )
            time.sleep(0.02)

    return body


@pytest.mark.parametrize("length", [True, False])
@pytest.mark.parametrize("boundary", ["frame", "--frame", '"frame"'])
def test_mjpeg_stream_is_read_part_by_part(length: bool, boundary: str) -> None:
    with server(stream_of([jpeg(10), jpeg(20), jpeg(30)], length=length, boundary=boundary)) as url:
        grabber = MjpegGrabber(url)
        grabber.open()
        seen = []
        for _ in range(2):
            grabber.grab()
            picture = grabber.picture()
            assert picture is not None
            seen.append(int(picture[0, 0, 0]))
        grabber.close()
    assert seen == [10, 20]


def test_mjpeg_stream_with_a_broken_picture_goes_on_and_reconnects_at_its_end() -> None:
    parts = [jpeg(10), jpeg(20)[:200], b"no picture at all", jpeg(40)]
    with server(stream_of(parts)) as url:
        source = LatestSource(MjpegGrabber(url), max_fps=1000, backoff=FAST)
        try:
            end = time.monotonic() + 5
            while source.state.reconnects < 2 and time.monotonic() < end:
                time.sleep(0.01)
            state = source.state
        finally:
            source.close()
    assert state.undecodable >= 2
    assert state.frames >= 3
    assert brightness(source.latest()) in (10, 40)


def test_an_address_of_single_pictures_is_asked_again_and_again() -> None:
    asked: list[str | None] = []

    def body(handler: http.server.BaseHTTPRequestHandler) -> None:
        asked.append(handler.headers.get("Authorization"))
        data = jpeg(len(asked))
        handler.send_response(200)
        handler.send_header("Content-Type", "image/jpeg")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    with server(body) as url:
        source = LatestSource(MjpegGrabber(url.replace("//", "//me:secret@")), max_fps=100)
        try:
            frame = first(source)
            assert source.newer(frame.number + 1, 5.0) is not None
            assert "secret" not in source.state.says
        finally:
            source.close()
    assert asked[0] == "Basic bWU6c2VjcmV0"


@pytest.mark.parametrize(
    ("status", "kind", "says"), [(401, "text/html", "answers 401"), (200, "text/html", "not an MJPEG")]
)
def test_a_page_that_is_no_stream_is_named(status: int, kind: str, says: str) -> None:
    def body(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with server(body) as url:
        grabber = MjpegGrabber(url)
        with pytest.raises(SourceError, match=says):
            grabber.open()
        grabber.close()


def test_boundaries_and_logins() -> None:
    assert boundary_of("multipart/x-mixed-replace") == b"--"
    assert without_password("rtsp://me:secret@cam:554/live?key=1") == "rtsp://cam:554/live"
    assert split_login("http://cam/video?x=1") == ("http://cam/video?x=1", {})


# RTSP


def refused_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def test_rtsp_that_refuses_is_tried_again_with_a_sentence_without_the_password() -> None:
    url = f"rtsp://me:secret@127.0.0.1:{refused_port()}/live"
    source = LatestSource(RtspGrabber(url), backoff=FAST)
    try:
        end = time.monotonic() + 10
        while source.state.reconnects < 2 and time.monotonic() < end:
            time.sleep(0.01)
        state = source.state
    finally:
        source.close()
    assert state.reconnects >= 2
    assert "cannot be reached (Connection refused); trying again" in state.says
    assert "secret" not in state.says


# Files and folders


def test_a_video_file_plays_once_at_its_own_speed(tmp_path: Path) -> None:
    clip = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 36))
    for number in range(10):
        writer.write(plain_picture(20 * number))
    writer.release()
    began = time.monotonic()
    source = open_source(str(clip), max_fps=100)
    while source.state.phase != "ended" and time.monotonic() < began + 5:
        time.sleep(0.01)
    took = time.monotonic() - began
    assert source.state.phase == "ended"
    assert abs(brightness(source.latest()) - 180) < 6
    assert 0.35 < took < 2.0
    source.close()


def test_a_file_that_is_no_video_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "clip.mp4"
    broken.write_bytes(b"no video" * 100)
    with pytest.raises(SourceError, match="is no video that can be read"):
        open_source(str(broken))
    assert "VIDEOIO" not in capfd.readouterr().err


def test_a_port_that_is_no_rtsp_camera_is_given_up_and_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"rtsp://127.0.0.1:{deaf.getsockname()[1]}/live"
        threading.Thread(target=hang_up, args=(deaf,), daemon=True).start()
        source = LatestSource(RtspGrabber(url), backoff=FAST)
        try:
            end = time.monotonic() + 10
            while source.state.reconnects < 1 and time.monotonic() < end:
                time.sleep(0.01)
            assert "cannot be opened; trying again" in source.state.says
        finally:
            source.close()


def hang_up(server: socket.socket) -> None:
    """Accept whoever knocks and hang up at once, until the server is closed."""
    while True:
        try:
            server.accept()[0].close()
        except OSError:
            return


def test_a_folder_is_shown_in_the_order_of_the_numbers(tmp_path: Path) -> None:
    for number in (10, 9, 100):
        (tmp_path / f"{number}.png").write_bytes(cv2.imencode(".png", plain_picture(number))[1].tobytes())
    (tmp_path / "50.jpg").write_bytes(jpeg(50)[:100])
    (tmp_path / "notes.txt").write_text("no picture")
    grabber = grabber_for(str(tmp_path), seconds=0.0)
    grabber.open()
    seen = []
    for _ in range(4):
        grabber.grab()
        picture = grabber.picture()
        seen.append(None if picture is None else int(picture[0, 0, 0]))
    assert seen == [9, 10, None, 100]


def test_the_folder_source_counts_the_broken_picture_and_ends(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(jpeg(1))
    (tmp_path / "2.jpg").write_bytes(b"")
    source = open_source(str(tmp_path), seconds=0.02, max_fps=1000)
    end = time.monotonic() + 5
    while source.state.phase != "ended" and time.monotonic() < end:
        time.sleep(0.01)
    state = source.state
    source.close()
    assert (state.phase, state.frames, state.undecodable) == ("ended", 1, 1)


# Pushed pictures


def test_pushed_pictures_keep_the_newest_and_count_garbage() -> None:
    now = [0.0]
    source = PushedPictures(clock=lambda: now[0])
    assert source.state.phase == "connecting"
    assert source.push(jpeg(10)) and source.push(jpeg(20))
    whole = jpeg(30, (640, 360))
    assert not source.push(whole[: len(whole) // 2])
    assert not source.push(b"") and not source.push(b"\x89PNG\r\n") and not source.push(b"\xff\xd8\xff\xd9")
    assert source.state.undecodable == 4
    assert brightness(source.latest()) == 20
    now[0] = 11.0
    assert source.state.phase == "silent"
    source.close()
    source.push(jpeg(40))
    assert source.state.phase == "closed" and brightness(source.latest()) == 20


def test_a_picture_that_claims_to_be_huge_is_not_decoded() -> None:
    data = bytearray(jpeg(10))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    assert size_of(bytes(data)) == (65535, 65535)
    assert decode(bytes(data)) is None


def test_zeros_after_the_end_of_a_picture_do_no_harm() -> None:
    assert decode(jpeg(10) + b"\0" * 64) is not None


# What the user types


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no camera was named"),
        ("7", "there is no camera 7 here: no camera was found"),
        ("/dev/video7", "there is no camera 7 here"),
        ("/dev/videoX", "is no video device"),
        ("http://", "names no host"),
        ("http://cam:notaport/video", "cannot be read"),
        ("rtsp:///live", "names no host"),
        ("ftp://cam/video", "no kind of camera known here"),
        ("gone.mp4", "there is no camera, file or folder 'gone.mp4'"),
        ("sim", "not offered here"),
    ],
)
def test_a_bad_name_is_one_clear_sentence(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(text, folder=tmp_path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture in the folder"):
        open_source(str(tmp_path))


def test_camera_numbers_that_exist_are_listed(tmp_path: Path) -> None:
    (tmp_path / "video2").touch()
    with pytest.raises(SourceError, match="found /dev/video2"):
        open_source("0", folder=tmp_path)
    assert grabber_for("2", folder=tmp_path).name == "camera 2"
    assert grabber_for("/dev/video2", folder=tmp_path).name == "camera 2"


def test_sim_is_what_the_caller_makes_of_it() -> None:
    made = PushedPictures("simulator")
    assert open_source("sim", simulator=lambda: made) is made


def test_plain_pictures_show_their_number() -> None:
    assert np.unique(plain_picture(7)).tolist() == [7]
