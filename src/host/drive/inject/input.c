/*
 * Injects gestures with Android's command `input`, which starts a Java process for each
 * gesture. Each start takes at least half a second of CPU time, which can delay the app.
 */
#include "drive/inject.h"

#include "process/deadline.h"

#define START_NS (20 * DJ_SECOND_NS)

static int run_input(struct dj_injector *injector, const char *const *argv,
                     int64_t more_ns, struct dj_error *err)
{
    struct dj_device_result result = {0};
    int code = dj_device_run(injector->device, argv, START_NS + more_ns, &result, err);
    /* `input` exits with 0 also after an error, but then prints the error. */
    bool refused = code == 0 && (result.exit_code != 0 || result.err.length > 0 ||
                                 strstr(dj_text_get(&result.out), "Error:") != NULL);
    if (refused) {
        code = dj_error_set(err, DJ_E_PROTOCOL, "input %s: exit code %d: %s", argv[1],
                            result.exit_code, dj_device_error_line(&result).line);
    }
    dj_device_result_finish(&result);
    return code;
}

/* Returns the duration of a swipe. `input` only plays swipes of constant speed. If the
 * plan has a speed at its end, the whole swipe gets this speed. */
static int64_t compute_swipe_duration(const struct dj_touch_plan *plan)
{
    double dx = plan->to_x - plan->from_x, dy = plan->to_y - plan->from_y;
    double length = __builtin_sqrt(dx * dx + dy * dy);
    return plan->end_speed_px_s > 0 ? (int64_t)(length / plan->end_speed_px_s * 1e9)
                                    : plan->duration_ns;
}

static int play_touches(struct dj_injector *injector, const struct dj_touch_plan *plan,
                        struct dj_error *err)
{
    char number[5][24];
    int64_t ns = compute_swipe_duration(plan);
    const int values[] = {plan->from_x, plan->from_y, plan->to_x, plan->to_y,
                          (int)(ns / DJ_MILLISECOND_NS)};
    for (size_t i = 0; i < 5; i++) {
        snprintf(number[i], sizeof(number[i]), "%d", values[i]);
    }
    const char *tap[] = {"input", "tap", number[0], number[1], NULL};
    const char *swipe[] = {"input",   "swipe",   number[0], number[1],
                           number[2], number[3], number[4], NULL};
    bool short_tap = plan->still && plan->duration_ns < 200 * DJ_MILLISECOND_NS;
    return run_input(injector, short_tap ? tap : swipe, ns, err);
}

static int press_key(struct dj_injector *injector, const char *name, struct dj_error *err)
{
    char code[80];
    if (!dj_inject_android_key(name, code, sizeof(code))) {
        return dj_error_set(err, DJ_E_USAGE, "unknown key '%.80s'", name);
    }
    return run_input(injector, (const char *[]){"input", "keyevent", code, NULL}, 0, err);
}

/* Types text. `input` uses "%s" for a space, because a space would end the text. */
static int type_text(struct dj_injector *injector, const char *words,
                     struct dj_error *err)
{
    struct dj_text escaped = {0};
    for (const char *at = words; *at != '\0'; at++) {
        dj_text_append(&escaped, *at == ' ' ? "%s" : at, *at == ' ' ? 2 : 1);
    }
    int code = run_input(
        injector, (const char *[]){"input", "text", dj_text_get(&escaped), NULL}, 0, err);
    dj_text_finish(&escaped);
    return code;
}

static const struct dj_injector_ops ops = {.touch = play_touches,
                                           .key = press_key,
                                           .text = type_text,
                                           .ascii_only =
                                               "input types only printable ASCII"};

int dj_inject_open_input(struct dj_device *device, struct dj_injector **injector,
                         struct dj_error *err)
{
    struct dj_device_result result = {0};
    int code =
        dj_device_run(device, (const char *[]){"sh", "-c", "command -v input", NULL},
                      START_NS, &result, err);
    if (code == 0 && result.exit_code != 0) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED, "the device has no `input`");
    }
    dj_device_result_finish(&result);
    struct dj_injector *input = code == 0 ? calloc(1, sizeof(*input)) : NULL;
    if (input == NULL) {
        return code != 0 ? code : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    *input = (struct dj_injector){
        .ops = &ops,
        .device = device,
        .name = "input",
        .fingers = 1,
        .note = "each gesture starts a process on the device (`input`), which slows "
                "frames down, and the start time of the gesture is unknown"};
    *injector = input;
    return 0;
}
