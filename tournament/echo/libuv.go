//go:build libuv && cgo

package echo

/*
#cgo pkg-config: libuv
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static char buffer[65536]; // for reading: what is read is sent on before the next read

static void give(uv_handle_t *h, size_t size, uv_buf_t *b) { *b = uv_buf_init(buffer, sizeof buffer); }

static void closed(uv_handle_t *h) { free(h); }

static void written(uv_write_t *w, int status) { free(w); }

static void have(uv_stream_t *s, ssize_t n, const uv_buf_t *b) {
	if (n < 0) {
		uv_close((uv_handle_t *)s, closed);
		return;
	}
	if (n == 0) return;
	uv_buf_t out = uv_buf_init(b->base, n);
	int sent = uv_try_write(s, &out, 1);
	if (sent < 0) sent = 0;
	if (sent < n) {
		uv_write_t *w = malloc(sizeof *w + n - sent);
		memcpy(w + 1, b->base + sent, n - sent);
		out = uv_buf_init((char *)(w + 1), n - sent);
		uv_write(w, s, &out, 1, written);
	}
}

static void incoming(uv_stream_t *listener, int status) {
	if (status < 0) return;
	uv_tcp_t *c = malloc(sizeof *c);
	uv_tcp_init(listener->loop, c);
	if (uv_accept(listener, (uv_stream_t *)c) != 0) {
		uv_close((uv_handle_t *)c, closed);
		return;
	}
	uv_tcp_nodelay(c, 1);
	uv_read_start((uv_stream_t *)c, give, have);
}

// The room: what a connection sends goes to all others. One copy is shared by all that do not take it at once.
typedef struct member { uv_tcp_t tcp; struct member *next, **at; } member;
typedef struct { int users; char data[]; } shared;
typedef struct { uv_write_t w; shared *s; } sending;

static member *members;
static size_t bound = 64 << 10;

static void release(shared *s) { if (--s->users == 0) free(s); }

static void shared_sent(uv_write_t *w, int status) {
	release(((sending *)w)->s);
	free(w);
}

static void leave(uv_stream_t *s) {
	member *m = (member *)s;
	*m->at = m->next;
	if (m->next) m->next->at = m->at;
	uv_close((uv_handle_t *)s, closed);
}

static void tell(uv_stream_t *from, ssize_t n, const uv_buf_t *b) {
	if (n < 0) {
		leave(from);
		return;
	}
	if (n == 0) return;
	shared *copy = NULL;
	for (member *m = members; m; m = m->next) {
		uv_stream_t *to = (uv_stream_t *)m;
		size_t waiting = uv_stream_get_write_queue_size(to);
		if (to == from || waiting + n > bound) continue;
		uv_buf_t out = uv_buf_init(b->base, n);
		int sent = waiting ? 0 : uv_try_write(to, &out, 1);
		if (sent < 0) sent = 0;
		if (sent == n) continue;
		if (!copy) {
			copy = malloc(sizeof *copy + n);
			copy->users = 1;
			memcpy(copy->data, b->base, n);
		}
		sending *w = malloc(sizeof *w);
		w->s = copy;
		copy->users++;
		out = uv_buf_init(copy->data + sent, n - sent);
		if (uv_write(&w->w, to, &out, 1, shared_sent) != 0) shared_sent(&w->w, 0);
	}
	if (copy) release(copy);
}

static void enter(uv_stream_t *listener, int status) {
	if (status < 0) return;
	member *m = malloc(sizeof *m);
	uv_tcp_init(listener->loop, &m->tcp);
	if (uv_accept(listener, (uv_stream_t *)m) != 0) {
		uv_close((uv_handle_t *)m, closed);
		return;
	}
	uv_tcp_nodelay(&m->tcp, 1);
	m->next = members;
	m->at = &members;
	if (members) members->at = &m->next;
	members = m;
	uv_read_start((uv_stream_t *)m, give, tell);
}

static uv_tcp_t listener;

static int begin(int *port, int room) {
	struct sockaddr_in a;
	int size = sizeof a;
	uv_ip4_addr("127.0.0.1", 0, &a);
	uv_tcp_init(uv_default_loop(), &listener);
	int err = uv_tcp_bind(&listener, (struct sockaddr *)&a, 0);
	if (err == 0) err = uv_listen((uv_stream_t *)&listener, 4096, room ? enter : incoming);
	if (err == 0) err = uv_tcp_getsockname(&listener, (struct sockaddr *)&a, &size);
	*port = ntohs(a.sin_port);
	return err;
}

static void run(void) { uv_run(uv_default_loop(), UV_RUN_DEFAULT); }
*/
import "C"

import "fmt"

func init() {
	servers = append(servers, server{"libuv", func(started func(string)) error { return serveLibuv(0, started) }})
	rooms = append(rooms, server{"libuvRoom", func(started func(string)) error { return serveLibuv(1, started) }})
}

func serveLibuv(room C.int, started func(string)) error {
	var port C.int
	if err := C.begin(&port, room); err != 0 {
		return fmt.Errorf("echo: libuv: error %d", err)
	}
	started(fmt.Sprintf("127.0.0.1:%d", port))
	C.run()
	return nil
}
