struct Rec {
	float a;
	float b;
};
