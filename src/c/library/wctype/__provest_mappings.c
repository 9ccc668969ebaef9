const int __provest_mappings[2];
