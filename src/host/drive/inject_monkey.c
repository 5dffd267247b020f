/*
 * Android's `monkey --port N`: one process that takes a command per line and answers each
 * with OK or ERROR:
 *
 *     touch down 540 1920        sleep 8        touch move 540 1918        key down BACK
 *
 * It answers as it reads a line and then does it, and reads the next one only after that:
 * the answer to a touch behind a sleep therefore comes when the sleep is over. Pauses are
 * its own, on the device's clock; what they and the touches take too long is seen in the
 * answers, and taken from the pauses still to come.
 *
 * It serves one connection in its life, and while that is open nobody else can have the
 * tree of views.
 */
#include "drive/inject.h"

#include <unistd.h>

#include "device/deadline.h"
#include "drive/screen.h"

#define CONNECT_NS (10 * DJ_SECOND_NS)
#define ANSWER_NS (10 * DJ_SECOND_NS)

enum {
    AHEAD = 6, /* touch points sent before their time: 48 ms hide any connection */
    TRIES = 3
};

struct monkey {
    struct dj_injector base;
    struct dj_device *device;
    struct dj_device_process *process; /* monkey itself */
    struct dj_device_process *line;    /* its port */
    struct dj_text heard;              /* of answers, from `read` on not yet used */
    size_t read;
    bool down; /* its finger, as far as it was told */
    int x, y;
    double cost_ns; /* what a touch takes beside its pause, as learned */
};

/* What monkey says to nobody in particular; its last line tells why it ended. */
static int tell_end(struct monkey *monkey, struct dj_error *err)
{
    struct dj_text out = {0}, last = {0};
    bool ended = false;
    struct dj_error gone = {0};
    int code =
        dj_device_process_read(monkey->process, DJ_SECOND_NS, &out, &out, &ended, &gone);
    const char *end = dj_text_get(&out) + out.length;
    while (end > dj_text_get(&out) && strchr(" \r\n", end[-1]) != NULL) {
        end--;
    }
    const char *begin = end;
    while (begin > dj_text_get(&out) && begin[-1] != '\n') {
        begin--;
    }
    dj_text_escaped(&last, begin, (size_t)(end - begin));
    if (code == 0) {
        code = dj_error_set(err, DJ_E_PROTOCOL, "monkey ended (exit code %d): %s",
                            dj_device_process_exit_code(monkey->process),
                            last.length > 0 ? dj_text_get(&last) : "it said nothing");
    } else {
        dj_error_set(err, code, "%s", gone.message);
    }
    dj_text_finish(&last);
    dj_text_finish(&out);
    return code;
}

/* The next answer's line in `answer`; taken off. */
static bool take_line(struct monkey *monkey, struct dj_text *answer)
{
    const char *begin = dj_text_get(&monkey->heard) + monkey->read;
    const char *end = memchr(begin, '\n', monkey->heard.length - monkey->read);
    if (end == NULL) {
        return false;
    }
    dj_text_clear(answer);
    dj_text_append(answer, begin, (size_t)(end - begin));
    monkey->read += (size_t)(end - begin) + 1;
    if (monkey->read == monkey->heard.length) {
        dj_text_clear(&monkey->heard);
        monkey->read = 0;
    }
    return true;
}

static int check_answer(const struct dj_text *answer, struct dj_error *err)
{
    if (strncmp(dj_text_get(answer), "OK", 2) == 0) {
        return 0;
    }
    struct dj_text safe = {0};
    dj_text_escaped(&safe, dj_text_get(answer), answer->length);
    int code = dj_error_set(err, DJ_E_PROTOCOL, "monkey answered '%s', expected OK",
                            dj_text_get(&safe));
    dj_text_finish(&safe);
    return code;
}

/* Waits for the next answer, an OK. */
static int await_answer(struct monkey *monkey, int64_t timeout_ns, struct dj_error *err)
{
    struct dj_text answer = {0};
    int64_t end_ns = dj_host_now_ns() + timeout_ns;
    int code = 0;
    while (code == 0 && !take_line(monkey, &answer)) {
        bool ended = false;
        int64_t left_ns = end_ns - dj_host_now_ns();
        if (left_ns <= 0) {
            code = dj_error_set(err, DJ_E_TIMEOUT, "monkey did not answer for %d s",
                                (int)(timeout_ns / DJ_SECOND_NS));
            break;
        }
        code = dj_device_process_read(monkey->line, left_ns, &monkey->heard,
                                      &monkey->heard, &ended, err);
        if (code == 0 && ended && monkey->read == monkey->heard.length) {
            code = tell_end(monkey, err);
        }
    }
    if (code == 0) {
        code = check_answer(&answer, err);
    }
    dj_text_finish(&answer);
    return code;
}

static int say(struct monkey *monkey, const struct dj_text *lines, struct dj_error *err)
{
    if (lines->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    struct dj_error why = {0};
    int code =
        dj_device_process_write(monkey->line, dj_text_get(lines), lines->length, &why);
    return code == DJ_E_GONE ? tell_end(monkey, err)
           : code != 0       ? dj_error_set(err, code, "%s", why.message)
                             : 0;
}

/* Says lines and waits for an answer to each. */
static int command(struct monkey *monkey, const struct dj_text *lines,
                   struct dj_error *err)
{
    int code = say(monkey, lines, err);
    for (size_t i = 0; code == 0 && i < lines->length; i++) {
        if (lines->data[i] == '\n') {
            code = await_answer(monkey, ANSWER_NS, err);
        }
    }
    return code;
}

/* A gesture being played. */
struct playing {
    const struct dj_touch_plan *plan;
    size_t sent, answered; /* touches */
    int64_t *corrected_ns; /* per touch: what was taken off the pause before it */
    bool *slept;           /* per touch: was there a pause? It has an answer, too */
    int64_t began_ns;      /* host_ns of the first answer */
    int64_t late_ns;       /* of the newest answer */
    int64_t pending_ns;    /* corrections sent behind the newest answer */
};

/* How long to pause before a touch: its due time, less what it would be late by. */
static int64_t pause_before(struct monkey *monkey, struct playing *playing, size_t i)
{
    const struct dj_touch_event *events = playing->plan->events;
    int64_t gap_ns = i == 0 ? 0 : events[i].at_ns - events[i - 1].at_ns;
    if (gap_ns == 0) {
        return 0;
    }
    double unseen = (double)(i - playing->answered) * monkey->cost_ns;
    int64_t late_ns = playing->late_ns - playing->pending_ns + (int64_t)unseen;
    int64_t pause_ns = gap_ns - late_ns;
    /* Whole milliseconds; what rounding leaves is late, or early, for the next one. */
    pause_ns = (pause_ns + DJ_MILLISECOND_NS / 2) / DJ_MILLISECOND_NS * DJ_MILLISECOND_NS;
    return pause_ns < 0 ? 0 : pause_ns > 2 * gap_ns ? 2 * gap_ns : pause_ns;
}

static void send_touch(struct monkey *monkey, struct playing *playing,
                       struct dj_text *lines)
{
    static const char *const words[] = {
        [DJ_TOUCH_DOWN] = "down", [DJ_TOUCH_MOVE] = "move", [DJ_TOUCH_UP] = "up"};
    size_t i = playing->sent++;
    const struct dj_touch_event *event = &playing->plan->events[i];
    monkey->down = event->kind != DJ_TOUCH_UP;
    monkey->x = event->x;
    monkey->y = event->y;
    int64_t gap_ns = i == 0 ? 0 : event->at_ns - playing->plan->events[i - 1].at_ns;
    int64_t pause_ns = pause_before(monkey, playing, i);
    playing->corrected_ns[i] = gap_ns - pause_ns;
    playing->pending_ns += playing->corrected_ns[i];
    playing->slept[i] = pause_ns > 0;
    if (pause_ns > 0) {
        dj_text_format(lines, "sleep %lld\n", (long long)(pause_ns / DJ_MILLISECOND_NS));
    }
    dj_text_format(lines, "touch %s %d %d\n", words[event->kind], event->x, event->y);
}

static int hear_touch(struct monkey *monkey, struct playing *playing,
                      struct dj_error *err)
{
    size_t i = playing->answered;
    int code = playing->slept[i] ? await_answer(monkey, ANSWER_NS, err) : 0;
    int64_t due_ns = playing->plan->events[i].at_ns;
    /* A long pause is no silence. */
    code = code == 0 ? await_answer(monkey, ANSWER_NS + due_ns, err) : code;
    if (code != 0) {
        return code;
    }
    int64_t now_ns = dj_host_now_ns();
    playing->began_ns = i == 0 ? now_ns : playing->began_ns;
    int64_t late_ns = now_ns - playing->began_ns - due_ns;
    if (i > 0) {
        int64_t taken_ns = late_ns - playing->late_ns + playing->corrected_ns[i];
        monkey->cost_ns += ((double)taken_ns - monkey->cost_ns) / 16;
        dj_jitter_add(&monkey->base.jitter, late_ns);
    }
    playing->pending_ns -= playing->corrected_ns[i];
    playing->late_ns = late_ns;
    playing->answered++;
    return 0;
}

static int play(struct monkey *monkey, struct playing *playing, struct dj_error *err)
{
    struct dj_text lines = {0};
    int code = 0;
    while (code == 0 && playing->answered < playing->plan->count) {
        dj_text_clear(&lines);
        while (playing->sent < playing->plan->count &&
               playing->sent < playing->answered + AHEAD) {
            send_touch(monkey, playing, &lines);
        }
        code = lines.length > 0 ? say(monkey, &lines, err) : 0;
        code = code == 0 ? hear_touch(monkey, playing, err) : code;
    }
    dj_text_finish(&lines);
    return code;
}

static int touch(struct dj_injector *injector, const struct dj_touch_plan *plan,
                 struct dj_error *err)
{
    struct monkey *monkey = (struct monkey *)injector;
    struct playing playing = {.plan = plan};
    playing.corrected_ns = calloc(plan->count, sizeof(*playing.corrected_ns));
    playing.slept = calloc(plan->count, sizeof(*playing.slept));
    int code = playing.corrected_ns == NULL || playing.slept == NULL
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : play(monkey, &playing, err);
    free(playing.slept);
    free(playing.corrected_ns);
    return code;
}

static int move_key(struct dj_injector *injector, const char *name, bool down, bool up,
                    struct dj_error *err)
{
    char keycode[80];
    struct dj_text lines = {0};
    if (!dj_android_key(name, keycode, sizeof(keycode))) {
        return dj_error_set(err, DJ_E_USAGE, "no key is named '%.80s'", name);
    }
    if (down) {
        dj_text_format(&lines, "key down %s\n", keycode);
    }
    if (up) {
        dj_text_format(&lines, "key up %s\n", keycode);
    }
    int code = command((struct monkey *)injector, &lines, err);
    if (code == DJ_E_PROTOCOL) {
        dj_error_prepend(err, "key %s", keycode);
    }
    dj_text_finish(&lines);
    return code;
}

static int key(struct dj_injector *injector, const char *name, struct dj_error *err)
{
    return move_key(injector, name, true, true, err);
}

static int key_part(struct dj_injector *injector, const char *name, bool down,
                    struct dj_error *err)
{
    return move_key(injector, name, down, !down, err);
}

/* A word goes as it is, but for quotes; blanks end words there, and are pressed. What its
 * keyboard has not makes monkey itself crash. */
static int text(struct dj_injector *injector, const char *words, struct dj_error *err)
{
    struct dj_text lines = {0};
    bool in_word = false;
    for (const char *at = words; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            dj_text_finish(&lines);
            return dj_error_set(err, DJ_E_UNSUPPORTED,
                                "monkey types only printable ASCII; byte %zu of the text "
                                "is 0x%02x",
                                (size_t)(at - words) + 1, (unsigned)(unsigned char)*at);
        }
        if (*at == ' ') {
            dj_text_string(&lines,
                           in_word ? "\npress KEYCODE_SPACE\n" : "press KEYCODE_SPACE\n");
        } else {
            dj_text_format(&lines, "%s%s%c", in_word ? "" : "type ",
                           *at == '"' ? "\\" : "", *at);
        }
        in_word = *at != ' ';
    }
    dj_text_string(&lines, in_word ? "\n" : "");
    int code = command((struct monkey *)injector, &lines, err);
    dj_text_finish(&lines);
    return code;
}

static void close_monkey(struct dj_injector *injector)
{
    struct monkey *monkey = (struct monkey *)injector;
    struct dj_text quit = {0}, rest = {0};
    struct dj_error unheard = {0};
    bool ended = false;
    if (monkey->line != NULL) {
        if (monkey->down) {
            dj_text_format(&quit, "touch up %d %d\n", monkey->x, monkey->y);
        }
        dj_text_string(&quit, "quit\n");
        int code = say(monkey, &quit, &unheard);
        /* Until it has ended nobody else can have the tree of views. */
        int64_t end_ns = dj_host_now_ns() + 3 * DJ_SECOND_NS;
        while (code == 0 && !ended && dj_host_now_ns() < end_ns) {
            code = dj_device_process_read(monkey->process, DJ_SECOND_NS / 2, &rest, &rest,
                                          &ended, &unheard);
        }
    }
    dj_device_process_close(monkey->line);
    dj_device_process_close(monkey->process);
    dj_text_finish(&monkey->heard);
    dj_text_finish(&quit);
    dj_text_finish(&rest);
    free(monkey);
}

static const struct dj_injector_ops ops = {.touch = touch,
                                           .key = key,
                                           .key_part = key_part,
                                           .text = text,
                                           .close = close_monkey};

/* Its port opens when it has started: half a second to several. */
static int connect_line(struct monkey *monkey, int port, struct dj_error *err)
{
    struct dj_text out = {0}, err_text = {0};
    int64_t end_ns = dj_host_now_ns() + CONNECT_NS;
    int code;
    for (;;) {
        bool ended = false;
        code = dj_device_connect(monkey->device, port, &monkey->line, err);
        if (code == 0 || code == DJ_E_INTERRUPTED || code == DJ_E_UNSUPPORTED) {
            break;
        }
        struct dj_error gone = {0};
        code = dj_device_process_read(monkey->process, 50 * DJ_MILLISECOND_NS, &out,
                                      &err_text, &ended, &gone);
        if (code != 0) {
            dj_error_set(err, code, "%s", gone.message);
            break;
        }
        if (ended || dj_host_now_ns() > end_ns) {
            struct dj_text says = {0};
            const char *text = dj_text_get(err_text.length > 0 ? &err_text : &out);
            dj_text_escaped(&says, text, strcspn(text, "\r\n"));
            code = dj_error_set(err, DJ_E_UNSUPPORTED, "monkey --port %s: %s",
                                ended ? "ended" : "did not open its port",
                                says.length > 0 ? dj_text_get(&says) : "it said nothing");
            dj_text_finish(&says);
            break;
        }
    }
    dj_text_finish(&out);
    dj_text_finish(&err_text);
    return code;
}

/* Crashes of the app are the run's to find: monkey would end with it, or hide it. */
static int start(struct monkey *monkey, int port, struct dj_error *err)
{
    char number[16];
    struct dj_text hello = {0};
    snprintf(number, sizeof(number), "%d", port);
    const char *argv[] = {
        "monkey", "--port", number, "--ignore-crashes", "--ignore-timeouts", NULL};
    int code = dj_device_start(monkey->device, argv, &monkey->process, err);
    if (code == 0) {
        code = connect_line(monkey, port, err);
    }
    if (code == 0) {
        dj_text_string(&hello, "sleep 0\n");
        code = command(monkey, &hello, err);
        dj_text_finish(&hello);
    }
    return code;
}

static int open_once(struct dj_device *device, int port, struct dj_injector **injector,
                     struct dj_error *err)
{
    struct monkey *monkey = calloc(1, sizeof(*monkey));
    if (monkey == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    monkey->base = (struct dj_injector){
        .ops = &ops, .name = "monkey", .fingers = 1, .holds_tree = true};
    monkey->device = device;
    int code = start(monkey, port, err);
    if (code != 0) {
        close_monkey(&monkey->base);
        return code;
    }
    *injector = &monkey->base;
    return 0;
}

/* A port may be taken: then the next. And one that ends as we connect found another that
 * was left behind. */
int dj_inject_monkey_open(struct dj_device *device, struct dj_injector **injector,
                          struct dj_error *err)
{
    struct dj_error why = {0};
    int code = 0;
    for (int i = 0; i < TRIES; i++) {
        /* Below Linux's ephemeral ports. */
        int port = 20000 + (int)((dj_host_now_ns() / 1000 + getpid() + i) % 10000);
        code = open_once(device, port, injector, &why);
        bool taken = strstr(why.message, "binding") != NULL;
        if (code == DJ_E_PROTOCOL) {
            dj_screen_end_monkeys(device);
        } else if (code == 0 || !taken) {
            break;
        }
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}
