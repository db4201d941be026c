package main

func Example() {
	main()
	// Output:
	// 200 hello ANN, you asked for /a
}
