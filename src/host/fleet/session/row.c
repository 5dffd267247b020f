#include "fleet/session/row_reader.h"

#include "fleet/session.h"

/* The version of the RowBinary rows is the list of columns in each INSERT statement. */
const char dj_session_columns[] =
    "id,revision,app,version,device,class,release,gpu,version_code,refresh_hz,ram_mb,day,"
    "start,known,frames,janky,slow,frozen,missed_vsync,high_input_latency,slow_ui_thread,"
    "slow_bitmap_uploads,slow_issue_draw_commands,deadline_missed,frame_time_bucket,"
    "frame_time_count,present_to_present_bucket,present_to_present_count,figure_name,"
    "figure_value";

/* Widths of the numbers in bytes. */
enum {
    REVISION = 8,
    VERSION_CODE = 8,
    REFRESH = 2,
    RAM = 4,
    DAY = 2,
    START = 4,
    KNOWN = 2,
    COUNTER = 4,
    NUMBERS =
        VERSION_CODE + REFRESH + RAM + DAY + START + KNOWN +
        DJ_SESSION_COUNTERS * COUNTER /* Bytes between the texts and the histograms. */
};

/* Writes the low bytes of a number, and returns their end. */
static inline char *write_number(char *to, int64_t value, size_t width)
{
    memcpy(to, &value, width);
    return to + width;
}

static void write_string(struct dj_text *bytes, const char *string)
{
    size_t length = strlen(string);
    dj_proto_add_varint(bytes, length);
    dj_text_append(bytes, string, length);
}

static int64_t known_or_zero(int64_t value)
{
    return value < 0 ? 0 : value;
}

static int64_t mask_of_known(const struct dj_session *session)
{
    int64_t mask = 0;
    for (size_t i = 0; i < DJ_SESSION_COUNTERS; i++) {
        mask |= (int64_t)(session->counter[i] >= 0) << i;
    }
    return mask;
}

static void write_histogram(struct dj_text *bytes,
                            const struct dj_session_histogram *histogram)
{
    uint8_t bucket[DJ_FRAME_BUCKETS];
    uint32_t count[DJ_FRAME_BUCKETS];
    size_t used = 0, end = histogram->is_known ? DJ_FRAME_BUCKETS : 0;
    for (size_t i = 0; i < end; i++) {
        bucket[used] = (uint8_t)i;
        count[used] = histogram->count[i];
        used += histogram->count[i] > 0;
    }
    dj_proto_add_varint(bytes, used);
    dj_text_append(bytes, (const char *)bucket, used);
    dj_proto_add_varint(bytes, used);
    dj_text_append(bytes, (const char *)count, used * sizeof(count[0]));
}

static void write_figures(struct dj_text *bytes, const struct dj_session *session)
{
    dj_proto_add_varint(bytes, session->figure_count);
    for (size_t i = 0; i < session->figure_count; i++) {
        write_string(bytes, session->figure[i].name);
    }
    dj_proto_add_varint(bytes, session->figure_count);
    for (size_t i = 0; i < session->figure_count; i++) {
        dj_text_append(bytes, (const char *)&session->figure[i].value, sizeof(double));
    }
}

static void write_numbers(struct dj_text *bytes, const struct dj_session *session)
{
    char numbers[NUMBERS];
    char *to = write_number(numbers, session->version_code, VERSION_CODE);
    to = write_number(to, known_or_zero(session->refresh_hz), REFRESH);
    to = write_number(to, known_or_zero(session->ram_mb), RAM);
    to = write_number(to, session->day, DAY);
    to = write_number(to, session->start_unix_s, START);
    to = write_number(to, mask_of_known(session), KNOWN);
    for (size_t i = 0; i < DJ_SESSION_COUNTERS; i++) {
        to = write_number(to, known_or_zero(session->counter[i]), COUNTER);
    }
    dj_text_append(bytes, numbers, sizeof(numbers));
}

void dj_session_write_row(struct dj_text *bytes, const struct dj_session *session)
{
    char revision[REVISION];
    write_number(revision, session->revision, REVISION);
    dj_text_append(bytes, (const char *)session->id, sizeof(session->id));
    dj_text_append(bytes, revision, sizeof(revision));
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        write_string(bytes, session->text[i]);
    }
    write_numbers(bytes, session);
    for (size_t i = 0; i < DJ_SESSION_HISTOGRAMS; i++) {
        write_histogram(bytes, &session->histogram[i]);
    }
    write_figures(bytes, session);
}

static void read_string(struct dj_row_reader *reader, char *to, size_t most)
{
    size_t length = dj_row_reader_read_length(reader, most);
    const char *at = dj_row_reader_read_bytes(reader, length);
    if (at != NULL) {
        memcpy(to, at, length);
        to[length] = '\0';
        if (memchr(to, '\0', length) != NULL) {
            reader->code = DJ_E_INVALID;
        }
    }
}

/* A column in which 0 means unknown. */
static int64_t read_known(struct dj_row_reader *reader, size_t width)
{
    int64_t value = (int64_t)dj_row_reader_read_number(reader, width);
    return value == 0 ? -1 : value;
}

static void read_histogram(struct dj_row_reader *reader,
                           struct dj_session_histogram *histogram)
{
    size_t used = dj_row_reader_read_length(reader, DJ_FRAME_BUCKETS);
    const char *bucket = dj_row_reader_read_bytes(reader, used);
    size_t counts = dj_row_reader_read_length(reader, DJ_FRAME_BUCKETS);
    const char *count = dj_row_reader_read_bytes(reader, counts * sizeof(uint32_t));
    if (count == NULL || counts != used) {
        dj_row_reader_fail(reader, DJ_E_INVALID);
        return;
    }
    histogram->is_known = used > 0;
    for (size_t i = 0; i < used; i++) {
        uint8_t at = (uint8_t)bucket[i];
        if (at >= DJ_FRAME_BUCKETS || histogram->count[at] != 0) {
            reader->code = DJ_E_INVALID;
            return;
        }
        memcpy(&histogram->count[at], count + i * sizeof(uint32_t), sizeof(uint32_t));
    }
}

static void read_figures(struct dj_row_reader *reader, struct dj_session *session)
{
    session->figure_count = dj_row_reader_read_length(reader, DJ_SESSION_FIGURES_MOST);
    for (size_t i = 0; i < session->figure_count; i++) {
        read_string(reader, session->figure[i].name, DJ_SESSION_NAME_MOST);
    }
    if (dj_row_reader_read_length(reader, DJ_SESSION_FIGURES_MOST) !=
        session->figure_count) {
        dj_row_reader_fail(reader, DJ_E_INVALID);
    }
    for (size_t i = 0; i < session->figure_count; i++) {
        const char *at = dj_row_reader_read_bytes(reader, sizeof(double));
        if (at != NULL) {
            memcpy(&session->figure[i].value, at, sizeof(double));
        }
    }
}

int dj_session_read_row(struct dj_str *rest, struct dj_session *session,
                        struct dj_error *err)
{
    struct dj_row_reader reader = {.rest = *rest};
    dj_session_init(session);
    const char *id = dj_row_reader_read_bytes(&reader, sizeof(session->id));
    if (id != NULL) {
        memcpy(session->id, id, sizeof(session->id));
    }
    session->revision = (int64_t)dj_row_reader_read_number(&reader, REVISION);
    for (size_t i = 0; i < DJ_SESSION_TEXTS; i++) {
        read_string(&reader, session->text[i], DJ_SESSION_TEXT_MOST);
    }
    session->version_code = (int64_t)dj_row_reader_read_number(&reader, VERSION_CODE);
    session->refresh_hz = read_known(&reader, REFRESH);
    session->ram_mb = read_known(&reader, RAM);
    session->day = (int64_t)dj_row_reader_read_number(&reader, DAY);
    session->start_unix_s = (int64_t)dj_row_reader_read_number(&reader, START);
    int64_t mask = (int64_t)dj_row_reader_read_number(&reader, KNOWN);
    for (size_t i = 0; i < DJ_SESSION_COUNTERS; i++) {
        int64_t value = (int64_t)dj_row_reader_read_number(&reader, COUNTER);
        session->counter[i] = (mask >> i & 1) != 0 ? value : -1;
    }
    for (size_t i = 0; i < DJ_SESSION_HISTOGRAMS; i++) {
        read_histogram(&reader, &session->histogram[i]);
    }
    read_figures(&reader, session);
    if (reader.code != 0) {
        return dj_error_set(err, reader.code,
                            reader.code == DJ_E_TRUNCATED
                                ? "the bytes end within a row"
                                : "a text, a list or a bucket exceeds its maximum");
    }
    *rest = reader.rest;
    return 0;
}
