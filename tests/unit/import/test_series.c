#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "import/series.h"

static const struct dj_series_defaults none;

static int read_text(const char *text, struct dj_series_file *file, struct dj_error *err)
{
    *err = (struct dj_error){0};
    return dj_import_read_series(text, strlen(text), &none, file, err);
}

static struct dj_series_file read_fine(const char *text)
{
    struct dj_series_file file;
    struct dj_error err;
    int code = read_text(text, &file, &err);
    cr_assert_eq(code, 0, "%s: %s", text, err.message);
    return file;
}

static void expect_refused(const char *text, const char *message)
{
    struct dj_series_file file;
    struct dj_error err;
    int code = read_text(text, &file, &err);
    cr_assert_lt(code, 0, "%s", text);
    cr_assert_not_null(strstr(err.message, message), "%s: %s", text, err.message);
    dj_store_series_finish(&file);
}

static const char table[] = "Time,Commit,metric,value,unit,device,run\n"
                            "2021-03-04T05:06:07Z,0a1b,p95,16.5,ms,Pixel,1\n"
                            "2021-03-05,\"say \"\"hi\"\", it's\",p95,17.25,ms,Pixel,2\n"
                            "2021-03-05,77aa,fps,59.5,fps,Pixel,3\n";

Test(series, a_table_is_read_by_its_header)
{
    struct dj_series_file file = read_fine(table);
    cr_assert_eq(file.count, 2);
    cr_assert_eq(file.points, 3);
    const struct dj_series *p95 = &file.series[0];
    cr_assert_str_eq(p95->metric, "p95");
    cr_assert_str_eq(p95->unit, "ms");
    cr_assert_str_eq(p95->device, "Pixel");
    cr_assert_null(p95->flow);
    cr_assert_eq(p95->sense, DJ_SERIES_LESS);
    cr_assert_eq(p95->point_count, 2);
    cr_assert_eq(p95->points[0].at_unix_ms, INT64_C(1614834367000));
    cr_assert_eq(p95->points[0].value, 16.5);
    cr_assert_str_eq(p95->points[0].commit, "0a1b");
    cr_assert_str_eq(p95->points[1].commit, "say \"hi\", it's");
    cr_assert_eq(p95->points[1].line, 3);
    cr_assert_eq(file.series[1].sense, DJ_SERIES_MORE);
    dj_store_series_finish(&file);
}

Test(series, each_column_of_numbers_is_a_metric_without_a_value_column)
{
    struct dj_series_file file =
        read_fine("\xef\xbb\xbf"
                  "date;version;note;frame time (ms);p95_ms;fps\r\n"
                  "2021-03-04;1.0;first;16,5;20;60\r\n"
                  "2021-03-05;1.1;;17,5;;60\r\n");
    cr_assert_eq(file.count, 3);
    cr_assert_eq(file.points, 5);
    cr_assert_eq(file.empty, 1);
    cr_assert_str_eq(file.series[0].metric, "frame time");
    cr_assert_str_eq(file.series[0].unit, "ms");
    cr_assert_eq(file.series[0].points[1].value, 17.5);
    cr_assert_str_eq(file.series[1].metric, "p95_ms");
    cr_assert_str_eq(file.series[1].unit, "ms");
    cr_assert_null(file.series[2].unit);
    cr_assert_eq(file.series[1].sense, DJ_SERIES_LESS);
    cr_assert_eq(file.series[2].sense, DJ_SERIES_MORE, "fps, without a unit too");
    dj_store_series_finish(&file);
}

Test(series, defaults_are_used_for_missing_properties)
{
    const struct dj_series_defaults defaults = {
        .metric = "load", .unit = "ms", .device = "A", .sense = DJ_SERIES_MORE};
    static const char text[] = "value\n1\n2\n1\n";
    struct dj_series_file file;
    struct dj_error err = {0};
    cr_assert_eq(dj_import_read_series(text, strlen(text), &defaults, &file, &err), 0,
                 "%s", err.message);
    cr_assert_eq(file.count, 1);
    cr_assert_str_eq(file.series[0].metric, "load");
    cr_assert_str_eq(file.series[0].unit, "ms");
    cr_assert_eq(file.series[0].sense, DJ_SERIES_MORE);
    cr_assert_eq(file.series[0].point_count, 3, "places tell plain values apart");
    cr_assert_eq(file.series[0].points[2].ordinal, 2);
    dj_store_series_finish(&file);
}

Test(series, duplicates_are_stored_once)
{
    struct dj_series_file file = read_fine("time,commit,value\n"
                                           "1600000000,a,1\n1600000000,a,1\n"
                                           "1600000000,a,2\n1600000000,b,1\n"
                                           "1600000001,a,1\n");
    cr_assert_eq(file.duplicates, 1);
    cr_assert_eq(file.points, 4);
    cr_assert_eq(file.series[0].point_count, 4);
    dj_store_series_finish(&file);
}

/* Series with the newest point first are reversed, including points with equal times.
 * Other series are sorted. */
Test(series, newest_first_is_reversed)
{
    struct dj_series_file file = read_fine("time,commit,value\n"
                                           "1600000002,c,3\n1600000001,b2,2.5\n"
                                           "1600000001,b1,2\n1600000000,a,1\n");
    cr_assert(file.newest_first);
    cr_assert_eq(file.backwards, 0);
    for (size_t i = 1; i < 4; i++) {
        const struct dj_series_point *point = &file.series[0].points[i];
        cr_assert_gt(point->value, point[-1].value);
    }
    dj_store_series_finish(&file);
    file = read_fine("time,value\n1600000000,1\n1600000002,3\n1600000001,2\n");
    cr_assert_not(file.newest_first);
    cr_assert_eq(file.backwards, 1);
    cr_assert_eq(file.series[0].points[1].value, 2);
    dj_store_series_finish(&file);
}

Test(series, several_forms_of_json_are_read)
{
    static const struct {
        const char *text;
        size_t series, points;
    } cases[] = {
        {"[1, 2.5, 3]", 1, 3},
        {"{\"values\": [1, 2], \"expected\": [1]}", 1, 2},
        {"{\"metric\": \"p\", \"unit\": \"ms\", \"better\": \"less\", \"values\": [1, 2],"
         " \"times\": [1600000000, \"2021-01-01\"], \"commits\": [\"a\", \"b\"]}",
         1, 2},
        {"[{\"time\": 1600000000, \"commit\": \"a\", \"metric\": \"p\", \"value\": 1},"
         "{\"time\": 1600000001, \"metric\": \"q\", \"value\": 2}]",
         2, 2},
        {"{\"time\": 1600000000, \"value\": 1}\n{\"time\": 1600000009, \"value\": 2}\n",
         1, 2},
        {"{\"series\": [{\"metric\": \"p\", \"points\": [{\"value\": 1}, {\"value\": "
         "2}]},"
         "{\"metric\": \"q\", \"points\": [{\"value\": null}, {\"value\": 2}]}]}",
         2, 3},
        {"{\"data\": [{\"push_timestamp\": \"2021-01-01T00:00:00\", \"revision\": \"ab\","
         " \"value\": 7, \"id\": 3}]}",
         1, 1},
        {"{\"test_runs\": [[1, [2, 20130322090613, \"ed75\"], 1363976019, 303.4, 0, []]],"
         " \"min\": 1}",
         1, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_series_file file = read_fine(cases[i].text);
        cr_assert_eq(file.count, cases[i].series, "%s", cases[i].text);
        cr_assert_eq(file.points, cases[i].points, "%s", cases[i].text);
        dj_store_series_finish(&file);
    }
}

Test(series, test_runs_of_the_graph_server_are_read)
{
    struct dj_series_file file = read_fine("{\"test_runs\": [[1, [2, 20130322090613, "
                                           "\"ed75\"], 1363976019, 303.4, 0, []]]}");
    const struct dj_series_point *point = &file.series[0].points[0];
    cr_assert_str_eq(point->commit, "ed75");
    cr_assert_eq(point->at_unix_ms, INT64_C(1363976019000));
    cr_assert_eq(point->value, 303.4);
    dj_store_series_finish(&file);
}

Test(series, errors_have_the_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"time,value,unit\n1600000000,1,ms\n1600000001,0.002,s\n",
         "line 3: 'value' is in s here, but in ms before (2): expected one unit"},
        {"time,value\n1600000000,1\n1600000001,NaN\n",
         "line 3: expected a finite number or an empty field, found 'NaN'"},
        {"time,value\n1600000000,inf\n", "line 2: expected a finite number"},
        {"time,value\n1600000000,1e999\n", "line 2: expected a finite number"},
        {"time,value\nyesterday,1\n", "line 2: expected a time such as"},
        {"time,value\n1600000000,1\n,2\n", "line 3: 'value' has no time here, but one"},
        {"time,value\n1600000000,1,2\n", "line 2: 3 fields, expected 2"},
        {"time,value\n1600000000,1\n16000", "line 3: 1 fields, expected 2"},
        {"time,better,value\n1600000000,blue,1\n",
         "line 2: direction: expected less, more or neutral"},
        {"a,b\n1,2\n", "line 1: expected a header with a column 'value'"},
        {"1.5\n2.5\n", "line 1: expected a header"},
        {"", "the file contains no values"},
        {"time,value\n", "the file contains no values"},
        {"time,value\n1600000000,\n", "the file contains no values"},
        {"[]", "the file contains no values"},
        {"[1, \"x\"]", "point 2: the value: expected a number"},
        {"[1,\n2,\nNaN]", "line 3: invalid JSON"},
        {"[1]\n[2] {\"a\":}", "line 2: invalid JSON at column 10"},
        {"{\"a\": 1}", "point 1: an object: expected a member 'value'"},
        {"{\"values\": [1, 2], \"times\": [1]}",
         "times: expected as many entries as 'values'"},
        {"[{\"time\": 1600000000, \"value\": 1}, {\"value\": 2}]",
         "point 2: 'value' has"},
        {"[{\"value\": 1, \"unit\": \"ms\"}, {\"value\": 2, \"unit\": \"s\"}]",
         "point 2: 'value' is in s here"},
        {"[[[[[[1]]]]]]", "at most 4 levels"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect_refused(cases[i].text, cases[i].message);
    }
}

Test(series, values_with_sql_or_control_characters_are_text)
{
    struct dj_series_file file = read_fine("commit,metric,value\n"
                                           "'; DROP TABLE points; --,\x1b[31mred,1\n");
    cr_assert_str_eq(file.series[0].points[0].commit, "'; DROP TABLE points; --");
    dj_store_series_finish(&file);
    expect_refused("commit,metric,value,unit\na,\x1b[31mred,1,ms\nb,\x1b[31mred,1,s\n",
                   "'\\x1b[31mred'");
}

Test(series, times_are_parsed)
{
    static const struct {
        const char *text;
        int64_t ms;
    } good[] = {
        {"1970-01-01", 0},
        {"2000-02-29T12:00:00Z", INT64_C(951825600000)},
        {"2021-03-04T05:06:07.25Z", INT64_C(1614834367250)},
        {"2021-03-04T05:06:07+02:00", INT64_C(1614827167000)},
        {"2021-03-04T05:06:07-0530", INT64_C(1614854167000)},
        {"2021-03-04 05:06", INT64_C(1614834360000)},
        {"2021-03-04 05:06:07 UTC", INT64_C(1614834367000)},
        {"2021/03/04", INT64_C(1614816000000)},
        {"20210304", INT64_C(1614816000000)},
        {"20210304050607", INT64_C(1614834367000)},
        {"1614834367", INT64_C(1614834367000)},
        {"1614834367.5", INT64_C(1614834367500)},
        {"1614834367000", INT64_C(1614834367000)},
        {"1614834367000000", INT64_C(1614834367000)},
        {"1614834367000000000", INT64_C(1614834367000)},
    };
    static const char *const bad[] = {
        "",           "soon",        "2021",        "2021-13-01",
        "2021-02-29", "2021-03-04T", "2021-03-04x", "-5",
        "nan",        "1e300",       "0x10",        "2021-03-04T25:00",
        "1969-12-31", "2300-01-01",  "20211301"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        int64_t ms = -1;
        cr_assert(dj_import_parse_time(good[i].text, &ms), "%s", good[i].text);
        cr_assert_eq(ms, good[i].ms, "%s: %lld", good[i].text, (long long)ms);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t ms = -1;
        bool small = strcmp(bad[i], "2021") == 0 || strcmp(bad[i], "20211301") == 0;
        if (small) { /* These are also plain numbers, which are seconds since 1970. */
            cr_assert(dj_import_parse_time(bad[i], &ms) && ms < INT64_C(31536000000));
        } else {
            cr_assert_not(dj_import_parse_time(bad[i], &ms), "%s", bad[i]);
        }
    }
}

/* A table that is truncated at any byte is either refused, or gives only points that it
 * contains. */
Test(series, truncated_tables_give_no_wrong_points)
{
    for (size_t length = 0; length < strlen(table); length++) {
        struct dj_series_file file;
        struct dj_error err = {0};
        /* AddressSanitizer detects a read after the end of the copy. */
        char *copy = strndup(table, length);
        int code = dj_import_read_series(copy, length, &none, &file, &err);
        cr_assert(code == 0 ? file.points <= 3 : err.message[0] != '\0');
        dj_store_series_finish(&file);
        free(copy);
    }
}
