/*
 * Injects gestures with Android's monkey (monkey_connection.h). The device waits between
 * touch points, so delays of the connection do not matter. The answers of monkey show how
 * much longer a pause or a touch took than planned. Later pauses are shortened by that
 * time.
 *
 * While monkey is connected, no other process can read the tree of views.
 */
#include "drive/inject.h"

#include <unistd.h>

#include "drive/inject/monkey_connection.h"
#include "drive/screen.h"
#include "process/deadline.h"

enum {
    /* Number of touch points that are sent before their time. 6 points are 48 ms, which
     * is longer than the delay of a connection. */
    AHEAD = 6,
    TRIES = 3
};

struct monkey {
    struct dj_injector base;
    struct dj_monkey_connection connection;
    bool down; /* True if the last sent touch left the finger on the screen. */
    int x, y;
    /* Mean duration of a touch without its pause, learned from the answers. */
    double cost_ns;
};

/* The state of playing one gesture. */
struct playing {
    const struct dj_touch_plan *plan;
    /* Numbers of touches that were sent, and of touches that monkey has answered. */
    size_t sent, answered;
    struct {
        /* The time that was removed from the pause before this touch. */
        int64_t corrected_ns;
        /* True if there was a pause before this touch. monkey answers the pause, too. */
        bool slept;
    } * touches;
    int64_t began_ns; /* Host time of the first answer. */
    int64_t late_ns;  /* Lateness of the last answered touch. */
    /* Sum of corrected_ns of the touches that are sent but not answered. */
    int64_t pending_ns;
};

/* Returns the pause to send before the next touch. `gap_ns` is the planned time between
 * the previous touch and the next touch. The expected lateness is subtracted. */
static int64_t compute_pause(const struct monkey *monkey, const struct playing *playing,
                             int64_t gap_ns)
{
    double unseen = (double)(playing->sent - playing->answered) * monkey->cost_ns;
    int64_t late_ns = playing->late_ns - playing->pending_ns + (int64_t)unseen;
    int64_t pause_ns = gap_ns - late_ns;
    /* A pause is a whole number of milliseconds. The rounding error appears in the
     * lateness of the next touch and is corrected then. */
    pause_ns = (pause_ns + DJ_MILLISECOND_NS / 2) / DJ_MILLISECOND_NS * DJ_MILLISECOND_NS;
    return pause_ns < 0 ? 0 : pause_ns > 2 * gap_ns ? 2 * gap_ns : pause_ns;
}

static void send_touch(struct monkey *monkey, struct playing *playing,
                       struct dj_text *lines)
{
    static const char *const words[] = {
        [DJ_TOUCH_DOWN] = "down", [DJ_TOUCH_MOVE] = "move", [DJ_TOUCH_UP] = "up"};
    size_t i = playing->sent;
    const struct dj_touch_event *event = &playing->plan->events[i];
    monkey->down = event->kind != DJ_TOUCH_UP;
    monkey->x = event->x;
    monkey->y = event->y;
    int64_t gap_ns = i == 0 ? 0 : event->at_ns - playing->plan->events[i - 1].at_ns;
    int64_t pause_ns = compute_pause(monkey, playing, gap_ns);
    playing->touches[i].corrected_ns = gap_ns - pause_ns;
    playing->touches[i].slept = pause_ns > 0;
    playing->pending_ns += gap_ns - pause_ns;
    playing->sent++;
    if (pause_ns > 0) {
        dj_text_format(lines, "sleep %lld\n", (long long)(pause_ns / DJ_MILLISECOND_NS));
    }
    dj_text_format(lines, "touch %s %d %d\n", words[event->kind], event->x, event->y);
}

static int receive_touch(struct monkey *monkey, struct playing *playing,
                         struct dj_error *err)
{
    size_t i = playing->answered;
    int code = playing->touches[i].slept
                   ? dj_monkey_connection_wait(&monkey->connection,
                                               DJ_MONKEY_ANSWER_TIMEOUT_NS, err)
                   : 0;
    int64_t due_ns = playing->plan->events[i].at_ns;
    /* The answer comes after the pause, so the pause is added to the time limit. */
    code = code == 0 ? dj_monkey_connection_wait(
                           &monkey->connection, DJ_MONKEY_ANSWER_TIMEOUT_NS + due_ns, err)
                     : code;
    if (code != 0) {
        return code;
    }
    int64_t now_ns = dj_host_now_ns();
    playing->began_ns = i == 0 ? now_ns : playing->began_ns;
    int64_t late_ns = now_ns - playing->began_ns - due_ns;
    if (i > 0) {
        int64_t duration_ns =
            late_ns - playing->late_ns + playing->touches[i].corrected_ns;
        monkey->cost_ns += ((double)duration_ns - monkey->cost_ns) / 16;
        dj_inject_add_jitter(&monkey->base.jitter, late_ns);
    }
    playing->pending_ns -= playing->touches[i].corrected_ns;
    playing->late_ns = late_ns;
    playing->answered++;
    return 0;
}

static int play_touches(struct monkey *monkey, struct playing *playing,
                        struct dj_error *err)
{
    struct dj_text lines = {0};
    int code = 0;
    while (code == 0 && playing->answered < playing->plan->count) {
        dj_text_clear(&lines);
        while (playing->sent < playing->plan->count &&
               playing->sent < playing->answered + AHEAD) {
            send_touch(monkey, playing, &lines);
        }
        code = lines.length > 0
                   ? dj_monkey_connection_send(&monkey->connection, &lines, err)
                   : 0;
        code = code == 0 ? receive_touch(monkey, playing, err) : code;
    }
    dj_text_finish(&lines);
    return code;
}

static int play_touch(struct dj_injector *injector, const struct dj_touch_plan *plan,
                      struct dj_error *err)
{
    struct monkey *monkey = (struct monkey *)injector;
    struct playing playing = {.plan = plan};
    playing.touches = calloc(plan->count, sizeof(*playing.touches));
    int code = playing.touches == NULL
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : play_touches(monkey, &playing, err);
    free(playing.touches);
    return code;
}

static int move_key(struct dj_injector *injector, const char *name, bool down, bool up,
                    struct dj_error *err)
{
    char keycode[80];
    struct dj_text lines = {0};
    if (!dj_inject_android_key(name, keycode, sizeof(keycode))) {
        return dj_error_set(err, DJ_E_USAGE, "unknown key '%.80s'", name);
    }
    if (down) {
        dj_text_format(&lines, "key down %s\n", keycode);
    }
    if (up) {
        dj_text_format(&lines, "key up %s\n", keycode);
    }
    struct monkey *monkey = (struct monkey *)injector;
    int code = dj_monkey_connection_command(&monkey->connection, &lines, err);
    if (code == DJ_E_PROTOCOL) {
        dj_error_prepend(err, "key %s", keycode);
    }
    dj_text_finish(&lines);
    return code;
}

static int press_key(struct dj_injector *injector, const char *name, struct dj_error *err)
{
    return move_key(injector, name, true, true, err);
}

static int move_key_part(struct dj_injector *injector, const char *name, bool down,
                         struct dj_error *err)
{
    return move_key(injector, name, down, !down, err);
}

/* Types text. Words are sent unchanged, except that quotation marks are escaped. A space
 * would end the word, so it is sent as a key. A character that the keyboard lacks would
 * crash monkey. */
static int type_text(struct dj_injector *injector, const char *words,
                     struct dj_error *err)
{
    struct dj_text lines = {0};
    bool in_word = false;
    for (const char *at = words; *at != '\0'; at++) {
        if (*at == ' ') {
            dj_text_add(&lines,
                        in_word ? "\npress KEYCODE_SPACE\n" : "press KEYCODE_SPACE\n");
        } else {
            dj_text_format(&lines, "%s%s%c", in_word ? "" : "type ",
                           *at == '"' ? "\\" : "", *at);
        }
        in_word = *at != ' ';
    }
    dj_text_add(&lines, in_word ? "\n" : "");
    struct monkey *monkey = (struct monkey *)injector;
    int code = dj_monkey_connection_command(&monkey->connection, &lines, err);
    dj_text_finish(&lines);
    return code;
}

static void close_monkey(struct dj_injector *injector)
{
    struct monkey *monkey = (struct monkey *)injector;
    struct dj_text up = {0};
    if (monkey->down) {
        dj_text_format(&up, "touch up %d %d\n", monkey->x, monkey->y);
    }
    dj_monkey_connection_close(&monkey->connection, &up);
    dj_text_finish(&up);
    free(monkey);
}

static const struct dj_injector_ops ops = {.touch = play_touch,
                                           .key = press_key,
                                           .key_part = move_key_part,
                                           .text = type_text,
                                           .ascii_only =
                                               "monkey types only printable ASCII",
                                           .close = close_monkey};

static int open_once(struct dj_device *device, int port, struct dj_injector **injector,
                     struct dj_error *err)
{
    struct monkey *monkey = calloc(1, sizeof(*monkey));
    if (monkey == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    monkey->base = (struct dj_injector){.ops = &ops,
                                        .device = device,
                                        .name = "monkey",
                                        .fingers = 1,
                                        .holds_tree = true};
    int code = dj_monkey_connection_open(&monkey->connection, device, port, err);
    if (code != 0) {
        close_monkey(&monkey->base);
        return code;
    }
    *injector = &monkey->base;
    return 0;
}

/* Starts monkey and connects to it. If the port is in use, tries the next port. If monkey
 * ends when dejank connects, another monkey from an earlier run is still running. Then
 * ends that monkey and tries again. */
int dj_inject_open_monkey(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err)
{
    struct dj_error why = {0};
    int code = 0;
    for (int i = 0; i < TRIES; i++) {
        /* These ports are below the ephemeral ports of Linux, so they are rarely in
         * use. */
        int port = 20000 + (int)((dj_host_now_ns() / 1000 + getpid() + i) % 10000);
        code = open_once(device, port, injector, &why);
        bool is_port_in_use = strstr(why.message, "binding") != NULL;
        if (code == DJ_E_PROTOCOL) {
            dj_screen_end_monkeys(device);
        } else if (code == 0 || !is_port_in_use) {
            break;
        }
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}
