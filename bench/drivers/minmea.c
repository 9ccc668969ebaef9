/* minmea: sentences of every kind it knows, and broken ones. */
#include <stdio.h>
#include "minmea.h"

int main(void) {
  static const char *sentences[] = {
    "$GPRMC,081836,A,3751.65,S,14507.36,E,000.0,360.0,130998,011.3,E*62",
        "$GNGGA,123204.00,5106.94086,N,01701.51680,E,1,06,3.86,127.9,M,40.5,M,,*51",
    "$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39", "$GPGSV,4,2,11,08,51,203,30,09,45,215,28*75",
        "$GPGLL,3723.2475,N,12158.3416,W,161229.487,A,A*41",
    "$GPVTG,188.36,T,,M,0.820,N,1.519,K,A*3F", "$GPZDA,160012.71,11,03,2004,-1,00*7D",
        "$GPGST,024603.00,3.2,6.6,4.7,47.3,5.8,5.6,22.0*58",
        "$GPRMC,081836,A,3751.65,S,14507.36,E,000.0,360.0,130998,011.3,E*63", "$GPXXX,1*00", "", "$",
        "$GPRMC,,V,,,,,,,,,,*31",
  };
  for (unsigned i = 0; i < sizeof sentences / sizeof *sentences; i++) {
    const char *line = sentences[i];
    enum minmea_sentence_id id = minmea_sentence_id(line, true);
    printf("%d %02x", id, minmea_checksum(line));
    switch (id) {
      case MINMEA_SENTENCE_RMC: {
        struct minmea_sentence_rmc frame;
        if (minmea_parse_rmc(&frame, line)) printf(" %d %d/%d %d/%d %d.%d.%d %f %f", frame.valid, frame.latitude.value,
            frame.latitude.scale, minmea_rescale(&frame.speed, 1000), frame.course.value, frame.date.day,
            frame.date.month, frame.date.year, minmea_tocoord(&frame.latitude), minmea_tofloat(&frame.longitude));
        break;
      }
      case MINMEA_SENTENCE_GGA: {
        struct minmea_sentence_gga frame;
        if (minmea_parse_gga(&frame, line)) printf(" %d %d %f %f", frame.fix_quality, frame.satellites_tracked,
            minmea_tofloat(&frame.altitude), minmea_tofloat(&frame.dgps_age));
        break;
      }
      case MINMEA_SENTENCE_GSA: {
        struct minmea_sentence_gsa frame;
        if (minmea_parse_gsa(&frame, line)) for (int j = 0; j < 12; j++) printf(" %d", frame.sats[j]);
        break;
      }
      case MINMEA_SENTENCE_GSV: {
        struct minmea_sentence_gsv frame;
        if (minmea_parse_gsv(&frame, line)) printf(" %d %d %d %d", frame.total_msgs, frame.total_sats,
            frame.sats[0].nr, frame.sats[1].snr);
        break;
      }
      case MINMEA_SENTENCE_GLL: {
        struct minmea_sentence_gll frame;
        if (minmea_parse_gll(&frame, line)) printf(" %d:%d:%d.%d %c", frame.time.hours, frame.time.minutes,
            frame.time.seconds, frame.time.microseconds, frame.status);
        break;
      }
      case MINMEA_SENTENCE_ZDA: {
        struct minmea_sentence_zda frame;
        struct timespec at;
        if (minmea_parse_zda(&frame, line)) {
          printf(" %d", minmea_gettime(&at, &frame.date, &frame.time));
          printf(" %ld", (long)at.tv_sec);
        }
        break;
      }
      default: break;
    }
    printf("\n");
  }
  return 0;
}
