"""A tiny random model behind a chat endpoint: `python -m tests.language.tiny_server` prints its address."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def tiny_model() -> tuple[Any, Any]:
    """A model of some ten thousand weights that writes bytes; nothing is downloaded."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    torch.set_num_threads(1)
    config = LlamaConfig(
        vocab_size=128,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=8192,
    )
    return LlamaForCausalLM(config).eval(), torch


class TinyServer(ThreadingHTTPServer):
    """Answers one request after the other: torch has one thread here."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model, self.torch = tiny_model()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def complete(self, text: str, most: int) -> tuple[str, int]:
        """What the model writes behind a text, by the most likely token each, and how many tokens it read."""
        codes = [min(ord(char), 127) for char in text[-2000:]]
        with self.lock, self.torch.no_grad():
            given = self.torch.tensor([codes])
            written = self.model.generate(given, max_new_tokens=most, do_sample=False, pad_token_id=0, eos_token_id=0)
        return "".join(map(chr, written[0, len(codes) :].tolist())), len(codes)


class _Handler(BaseHTTPRequestHandler):
    server: TinyServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = "\n".join(str(message["content"]) for message in body["messages"])
        most = int(body.get("max_tokens", 16))
        said, read = self.server.complete(text, most)
        finish = "length" if len(said) >= most else "stop"
        reply = {
            "model": "tiny",
            "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": finish}],
            "usage": {"prompt_tokens": read, "completion_tokens": len(said)},
        }
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


if __name__ == "__main__":
    with TinyServer() as server:
        print(server.url, flush=True)
        server.serve_forever()
